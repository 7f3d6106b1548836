import { pattern } from '../base/pattern.ts';

/** Questions by their form, and the words that are typical of answers to them. */
export const TELLING: readonly (readonly [asks: RegExp, tells: RegExp, isBelow?: boolean])[] = [
  [
    pattern(
      'iu',
      String.raw`^(?:(?:and|but|so|und|aber) )?(?:how (?:do|can|could|should|to) (?:(?:i|we|you|one) )?(\p{L}+)`,
      String.raw`|what (?:do|should|must) (?:i|we) do\b`,
      String.raw`|wie (?!viel|lang|oft|hoch|groß|heiß|bald|weit|alt)(\p{L}+ (?:ich|man|wir)\b.{0,80})`,
      String.raw`|was (?:muss|soll|mache|tue|kann) (?:ich|man|wir)\b)|\bwas tun\b`,
    ),
    pattern(
      'iu',
      '^(?:press|hold|turn|push|pull|open|close|remove|take|put|clean|fill|set|select|choose|switch|call|ring',
      '|touch|run|let|pour|drain|wipe|unscrew|unplug|plug|enter|type|scan|connect|reset|apply|inform|return|book',
      String.raw`|contact|report|send|write|use|wait|check|click|tap|go|ask|insert|lift|rinse|replace|keep|please)\b`,
      String.raw`|\b(?:if|by giving|must|have to|should|please)\b`,
      String.raw`|(?<!\p{L})(?:bitte|\p{L}{3,}en Sie|\p{L}+en\.$|mit der taste)`,
      String.raw`|: \p{L}{3,}en Sie|(?<!\p{L})(?:ist|sind) .{0,120}zu \p{L}+en`,
    ),
    true,
  ],
  [
    pattern(
      'iu',
      String.raw`\bwhat (happens|happened|would happen|will happen)\b|\bwhat if\b|\bwas ist,? wenn\b`,
      String.raw`|\bwas (passiert|geschieht|droht)\b`,
    ),
    pattern(
      'iu',
      String.raw`(?<!\p{L})(?:fees?|charged?|fines?|interest|penalt\p{L}+|cancel\p{L}*|los[et]s?|terminat\p{L}+`,
      String.raw`|refus\p{L}+|removed?|blocked|suspended|expires?|void|deducted|forfeit\p{L}*|made up|gesperrt`,
      String.raw`|verfällt|verfallen|entsorgt|verlier\p{L}+|gekündigt|fristlos\p{L}*)(?!\p{L})`,
      '|gebühr|zinsen|mahn|fällig',
    ),
  ],
  [
    pattern(
      'iu',
      String.raw`^(?:(?:and|but|so|und|aber) )?(?:(?:may|can|could|must|mustn't) (?:i|we|you|one|\p{L}+)`,
      String.raw`|(?:am|are|is) .{1,40}\b(allowed|permitted|forbidden|ok|okay)`,
      String.raw`|(?:darf|dürfen|kann|können|muss|müssen) \p{L}+`,
      String.raw`|(?:ist|sind) .{1,40}\b(erlaubt|verboten|gestattet))(?!\p{L})`,
    ),
    pattern(
      'iu',
      String.raw`(?<!\p{L})(?:(?<!\d )may(?! \d)|can|must|only|allow(?:ed|s)?|permit(?:ted|s)?|permission|consent`,
      '|forbidden|prohibited|banned|not to|no|not|without|unless|compulsory|required|needs?|welcome|darf|dürfen|kann',
      '|können|muss|müssen|nur|erlaubt|gestattet|zulässig|untersagt|verboten|zustimmung|erlaubnis',
      String.raw`|kein\p{L}*|nicht|bedarf)(?!\p{L})`,
    ),
  ],
];
