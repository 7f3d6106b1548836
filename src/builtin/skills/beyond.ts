import { phrases } from '../phrases.ts';
import { type Skill, say } from '../request.ts';

/** What people ask assistants for, and only a model or the web can answer. */
const WEB = phrases({
  en: [
    `(what's|what is|how is|how's|what will|how will|will) [the|it] [be] (weather|forecast|temperature
      outside|rain|snow) {more:maybe}`,
    '(is it|will it|does it) [going to|be] (rain|snow|raining|snowing|sunny|cold|warm|hot) {more:maybe}',
    '(do i need an umbrella) {more:maybe}',
    "(what's|what is|what are|show me|tell me|read me) [in] the [latest|today's] (news|headlines) {more:maybe}",
    "(what's|what is|how is) the [current] (price|stock price|share price) of {more}",
    '(who won|what was the score of) {more}',
  ],
  de: [
    '(wie wird|wie ist|was macht) das wetter {more:maybe}',
    '(regnet|schneit) es {more:maybe}',
    '(wird es|wird es morgen|wird es heute) [morgen|heute] (regnen|schneien|kalt|warm|heiß) {more:maybe}',
    '(brauche ich einen regenschirm|brauche ich einen schirm) {more:maybe}',
    '(was gibt es neues|was sind die nachrichten|zeig mir die nachrichten) {more:maybe}',
    '(wie steht|was kostet) (die aktie|der kurs|der dax) {more:maybe}',
  ],
});
const MODEL = phrases({
  en: [
    '(translate|how do you say|how do i say) {more}',
    `(write|compose|draft|do) [me] [a|an|my|our|the|some] {kind:(?:\\p{L}+ )?(?:poem|story|email|essay|letter|song
      text|song|joke|speech|homework|report|cv|resume|code|program|script|limerick|haiku|toast|review|blog
      post|cover letter|assignment)}
      [(for|about|to|on|in) {more}]`,
    '(what|which|who) (do you think|would you recommend|should i (cook|eat|watch|wear|read|cook for)) {more:maybe}',
    '(show|find|send|get) me [a|some|the] (picture|pictures|photo|photos|video|videos) {more:maybe}',
    '(take|make) [a] (photo|picture|selfie|screenshot|phone call|call) {more:maybe}',
    '(tell me|do you know) a (joke|story|riddle)',
    '(play|pause|skip) [some|the|my] (music|song|radio|spotify|video|podcast) {more:maybe}',
    '(call|phone|dial|ring|text|message) {more:word} [now]',
    '(send|write) [an|a] (email|mail|sms|whatsapp) to {more}',
    '(order|book|reserve) {more}',
    '(turn|switch) (on|off) the (light|lights|heating|tv|radio) {more:maybe}',
    '(recommend|suggest) [me] (a|an|some) {more}',
    `(fix|correct|proofread|rewrite|improve|paraphrase) (this|my|the)
      (text|sentence|grammar|email|spelling|paragraph) {more:maybe}`,
  ],
  de: [
    '(übersetze|übersetz) {more}',
    'was heißt {more} auf (englisch|deutsch|französisch|spanisch|italienisch)',
    `(schreib[e]|dichte|verfass[e]) [mir] (ein|eine|einen)
      (gedicht|geschichte|e-mail|mail|aufsatz|brief|lied|witz|rede) {more:maybe}`,
    '(spiel[e]|starte) [etwas|die] (musik|radio|lied|spotify) {more:maybe}',
    '(ruf[e]) {more:word} an',
    '(schreib[e]|schick[e]|sende) [eine] (mail|e-mail|sms|whatsapp) an {more}',
    '(bestell[e]|buch[e]|reservier[e]) {more}',
    `(mach[e]|schalt[e]) [bitte] [mir] (das|die|den) (licht|lampe|radio|heizung|fernseher|musik) {where:maybe}
      (an|aus|ein)`,
    '(das|die|den) (licht|lampe|radio|heizung|fernseher|musik) {where:maybe} (an|aus|ein)(machen|schalten|stellen)',
    'erzähl[e] [mir] (einen witz|eine geschichte|ein rätsel)',
    '(empfiehl|schlag) [mir] {more}',
  ],
});

/** What it cannot do is said at once, with what could, rather than searched for in the documents. */
export const beyond: Skill = {
  name: 'beyond',
  examples: { en: [], de: [] },
  recognize: ({ plain, in: either }) => {
    if (WEB(plain))
      return say(
        either(
          `I cannot know that: I have no weather, news or prices. "search the web for ${plain}" may find it.`,
          [
            `Das kann ich nicht wissen: Wetter, Nachrichten und Kurse habe ich nicht. „such im Internet`,
            `nach ${plain}“ findet es vielleicht.`,
          ].join(' '),
        ),
      );
    if (MODEL(plain))
      return say(
        either(
          [
            'That is beyond me: I am a small set of rules, not a language model, and reach no phone,',
            'mail or player. "connect a model" says how to add one.',
          ].join(' '),
          [
            [
              'Das kann ich nicht: ich bin ein paar Regeln, kein Sprachmodell, und erreiche weder',
              'Telefon noch Mail noch Musik. „wie schließe ich ein',
            ].join(' '),
            'Modell an“ sagt, wie es geht.',
          ].join(' '),
        ),
      );
    return undefined;
  },
};
