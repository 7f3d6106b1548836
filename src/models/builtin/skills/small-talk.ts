import { phrases, type Slots } from '../phrases.ts';
import { type Skill, say, type UserRequest } from '../request.ts';

/** What is said, and the fixed answer. */
interface Exchange {
  readonly asked: (request: string) => Slots | undefined;
  readonly en: string;
  readonly de: string;
}

const EXCHANGES: readonly Exchange[] = [
  {
    asked: phrases({
      en: [
        `(good morning|good afternoon|good evening|good day|morning|mornin|afternoon|evening|hello|hi|hey|howdy
        |greetings|hiya|yo) [there|wooster|again|you|all|everyone|mate]`,
      ],
      de: [
        `(guten morgen|guten tag|guten abend|hallo|moin|servus|grüß dich|grüß gott|hi)
        [wooster|du|zusammen|nochmal]`,
      ],
    }),
    en: 'Hello. I am Wooster, running on the built-in model. What can I do for you? Say "help" for ideas.',
    de: 'Hallo. Ich bin Wooster mit dem eingebauten Modell. Was kann ich für dich tun? „Hilfe“ zeigt, was geht.',
  },
  {
    asked: phrases({
      en: [
        `(how are you|how's it going|how do you do|how are things|what's up|sup|you ok|how are you doing)
        {more:maybe}`,
        '[hello|hi|hey] [wooster] (can you hear me|are you (there|awake|listening|working)|anybody there|anyone there)',
      ],
      de: [
        `[hallo|hi|hey|moin|servus|guten morgen|guten tag|guten abend] [na|und]
        (wie geht es dir|wie geht's|wie geht's dir|wie gehts|alles klar|alles gut) [{more:(?!.*dank).+}]`,
      ],
    }),
    en: 'All in order, thank you. What can I do for you?',
    de: 'Alles in Ordnung, danke. Was kann ich für dich tun?',
  },
  {
    asked: phrases({
      en: [
        `(that's|that is|that was) (everything|all|it) [for] [now|today|tonight] [thanks|thank you|cheers]
          [then|for now|for today]`,
        `(thanks|thank you|thx|cheers|much appreciated|ta|great thanks|ok thanks|okay thanks|perfect thanks)
          {more:maybe}`,
      ],
      de: [
        `[alles klar|ok|okay|super|prima|perfekt|gut|toll|klasse|passt|schön|cool] [alles klar|na]
          (danke|vielen dank|dankeschön|danke schön|herzlichen dank|besten dank|merci) {more:maybe}`,
      ],
    }),
    en: 'You are welcome.',
    de: 'Gern geschehen.',
  },
  {
    asked: phrases({
      en: [
        `(i'm|i am|i feel|i'm feeling|feeling) [a bit|a little|so|very|really|pretty|quite|just] [a bit]
          (sad|fed up|tired|exhausted|lonely|stressed|bored|down|low|worried|anxious|unwell|ill|sick|poorly
          |knackered|overwhelmed|upset|annoyed|grumpy|hungover) [today|tonight|now|again|this morning|right now]`,
        "(i've had|i had) (a|such a) (bad|rough|hard|long|terrible|awful|rotten) (day|week|night|morning)",
        '(today was|it was|that was|what) (a|such a) (bad|rough|hard|long|terrible|awful) (day|week|night|morning)',
      ],
      de: [
        "(mir geht es|mir geht's|mir gehts) [heute|gerade] [gar|überhaupt] (nicht gut|nicht so gut|schlecht|mies)",
        `ich (bin|fühle mich) [heute|gerade] [so|sehr|ganz|ziemlich|etwas|ein bisschen]
          (traurig|müde|erschöpft|einsam|gestresst|krank|kaputt|niedergeschlagen|überfordert|genervt|schlecht)`,
        '(das war|heute war|was für) (ein|so ein) (schlechter|harter|langer|schlimmer|furchtbarer) (tag|abend|morgen)',
      ],
    }),
    en: 'I am sorry to hear that. I am only a small program, but I keep notes, lists and reminders for you.',
    de: 'Das tut mir leid. Ich bin nur ein kleines Programm, kann dir aber etwas abnehmen: Notiz, Erinnerung, Liste.',
  },
  {
    asked: phrases({
      en: ['(bye|goodbye|good night|see you|farewell|exit|quit) {more:maybe}'],
      de: ['(tschüss|tschüs|ciao|auf wiedersehen|gute nacht|bis später|bis bald|bis morgen) [wooster]'],
    }),
    en: 'Goodbye. `/quit` leaves the program.',
    de: 'Auf Wiedersehen. `/quit` beendet das Programm.',
  },
  {
    asked: phrases({
      en: [
        '[no|not now|oh|ah] (never mind|forget it|leave it|forget about it)',
        'not now',
        '(never mind|nevermind|forget it|cancel that|cancel|stop|no|nope|no thanks|no thank you)',
      ],
      de: ['(vergiss es|schon gut|egal|abbrechen|stopp|nein|nein danke|nö|lass gut sein)'],
    }),
    en: 'All right, I have done nothing.',
    de: 'In Ordnung, ich habe nichts getan.',
  },
  {
    asked: phrases({
      en: [
        `(ok|okay|yes|yep|sure|fine|good|great|nice|cool|perfect|well done|wow|all right|got
          it|awesome|lol|haha|interesting|very good|i see)`,
      ],
      de: ['(ok|okay|ja|jo|klar|gut|super|prima|toll|schön|perfekt|alles klar|in ordnung|genau|sehr gut|passt)'],
    }),
    en: 'Good. What next?',
    de: 'Gut. Was noch?',
  },
];

const UNDO = phrases({
  en: ['(undo|revert|take back) [that|it|this|my last change|the last change|the last thing]', 'put it back'],
  de: [
    '(mach|mache) (das|es|die letzte änderung) [wieder|bitte] rückgängig',
    '[das] (rückgängig|rückgängig machen)',
    'nimm (das|es) [wieder] zurück',
  ],
});

const UNDO_BY_COMMAND = {
  en: '`/undo` takes back an exchange and all that it changed: this one first and, said again, the one before it.',
  de: '`/undo` nimmt einen Wortwechsel zurück und alles, was er geändert hat: erst diesen, nochmals gesagt den davor.',
};

/** Greetings, thanks, yes and no. */
export const smallTalk: Skill = {
  name: 'small talk',
  examples: { en: [], de: [] },
  recognize: ({ plain, in: either }) => {
    const said = plain.replace(/[?!.,\s]+$/u, '').replace(/,/gu, '');
    if (UNDO(said)) return say(either(UNDO_BY_COMMAND.en, UNDO_BY_COMMAND.de));
    const found = said.length > 60 ? undefined : EXCHANGES.find(({ asked }) => asked(said));
    return found && say(either(found.en, found.de));
  },
};

const SAID = phrases({
  en: [
    'what (did i|have i) [just|last] (say|said|ask|asked|tell you|write) [just now|last|before]',
    'what was my last (question|message)',
  ],
  de: [
    'was (habe ich|hab ich) [gerade|zuletzt|eben] (gesagt|gefragt|geschrieben)',
    'was war meine letzte (frage|nachricht)',
  ],
});
const AGAIN = phrases({
  en: [
    `(repeat that|repeat it|repeat yourself|say that again|say it again|again|what did you say|what did you just
    say|what did you answer)`,
  ],
  de: ['(wiederhol[e] das|sag das nochmal|nochmal|noch einmal|was hast du gesagt|was hast du gerade gesagt)'],
});

/** "What did I just say?", "repeat that". */
export const recall: Skill = {
  name: 'recall',
  examples: { en: [], de: [] },
  recognize: ({ plain, earlier, in: either }) => {
    const by = SAID(plain) ? 'person' : AGAIN(plain) ? 'assistant' : undefined;
    if (by === undefined) return undefined;
    const text = earlier.findLast((message) => message.by === by)?.text;
    const lead = by === 'person' ? either('You said', 'Du hast gesagt') : either('I said', 'Ich habe gesagt');
    const none = either(
      'Nothing yet: this conversation has just begun.',
      'Noch nichts: das Gespräch hat gerade erst begonnen.',
    );
    return say(text === undefined ? none : `${lead}: "${text}"`);
  },
};

/** How reminders began before they were delivered without a model; stored ones still do. */
export const REMINDER = 'Reminder: ';

/** Such a reminder is repeated as it stands, even when it speaks of a time. */
export const delivered: Skill = {
  name: 'delivered reminder',
  anyLength: true,
  examples: { en: [], de: [] },
  recognize: ({ text }: UserRequest) => (text.startsWith(REMINDER) ? say(text) : undefined),
};

const ECHO = phrases(
  {
    en: ['(say|repeat after me|echo|answer with|reply with) {words}'],
    de: ['(sag|sage|antworte mit|sprich mir nach) {words}'],
  },
  { long: true },
);

/** "Say hello": what a scheduled prompt often is. */
export const echo: Skill = {
  name: 'echo',
  anyLength: true,
  examples: { en: [], de: [] },
  recognize: ({ text }) => {
    const words = ECHO(text)?.words;
    return words === undefined ? undefined : say(words.replace(/^(["'“„])(.*)["'”“]([.!?]?)$/su, '$2$3'));
  },
};
