/** English function words and filler words of technical prose. After a change, raise `ANALYSIS_VERSION`. */
const LISTS = [
  'a an the this that these those such',
  'and or but nor if then than because while although though whether unless since until so as both either neither',
  'of in on at by for with without within from to into onto upon over under between among through during against',
  'about above below before after across along toward towards via per out off up down near around',
  'i me my we us our you your he him his she her it its they them their itself themselves',
  'be am is are was were been being have has had having do does did done doing',
  'can could may might must shall should will would cannot',
  'what which who whom whose when where why how there here',
  'all any each every few more most other others some many much several no not only same own',
  'also very too just however therefore thus hence again further once',
  'use uses using used',
];

export const STOP_WORDS: ReadonlySet<string> = new Set(LISTS.flatMap((list) => list.split(' ')));
