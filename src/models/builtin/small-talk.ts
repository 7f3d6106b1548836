import { pattern } from '../../base/pattern.ts';
import { type Intent, type Recognizer, say } from './intent.ts';

/** Part of every answer about itself: nobody is to take it for a language model. */
const WHAT_I_AM = [
  "I am Wooster's built-in model: a small, deterministic program that runs on this machine, not a ",
  'large language model. I understand everyday requests (notes, reminders, questions to your ',
  'documents, lists, arithmetic, units, dates, files) and nothing beyond them.',
].join('');

const HOW_TO_CONNECT = `To connect a real model, put one of these into .env and start again:
  OPENAI_BASE_URL=http://127.0.0.1:11434/v1   (Ollama, LM Studio, llama.cpp, vLLM: any OpenAI-compatible server)
  OPENAI_API_KEY=...    or    ANTHROPIC_API_KEY=...    or    GEMINI_API_KEY=...
A local server on port 11434, 1234 or 8080 is found by itself. \`wooster models\` shows what is in use.`;

const HELP = `I can
  take notes             note: the spare key is with Anna; show my notes
  keep lists             add milk to my shopping list; what is on my shopping list?
  remind you             remind me tomorrow at 9 to call Anna; every weekday at 8 say good morning
  search your documents  what do my documents say about the boiler? (after \`wooster ingest PATH\`)
  calculate              what is 15% of 80? convert 10 miles to km
  reckon with dates      how many days until 24 December? what day is 3 weeks from now?
  read and write files   read notes.txt; write "hello" to hello.txt
  send and look up       notify me that dinner is ready; search the web for tide tables; fetch https://example.org

${WHAT_I_AM} /help lists the commands.`;

const UNKNOWN = `I did not understand that. ${WHAT_I_AM}\nSay "help" for what I can do. ${HOW_TO_CONNECT}`;

/** A question, lower-cased and without punctuation at its end, and its fixed answer. */
interface Exchange {
  readonly asked: RegExp;
  readonly answer: string;
}

/** The first that matches answers: help, connecting a model, who it is, privacy, greetings, thanks, yes and no. */
const EXCHANGES: readonly Exchange[] = [
  {
    asked: pattern(
      'u',
      '^(?:help|what can (?:you|i) (?:do|ask|say)|what do you do|how can you help',
      String.raw`|show (?:me )?help|what are you (?:able|good)\b.*|what else can you do|commands|how do (?:i`,
      '|you) (?:use|start|work with) (?:you|this|wooster))',
    ),
    answer: HELP,
  },
  {
    asked: pattern(
      'u',
      String.raw`\b(?:connect|configure|set up|use|add|plug in|switch to|install)\b.*\b(?:real|better|other`,
      '|another|bigger|large|local|cloud|language|openai|ollama|anthropic|claude|gemini',
      String.raw`|gpt)\b.*\b(?:model|llm|key|server|ollama|openai|claude|gemini|gpt)\b|^how (?:do`,
      '|can) i (?:connect|add|use|configure) (?:a |an |the )?(?:model|llm|key|openai|ollama|claude',
      '|gemini|gpt)',
    ),
    answer: HOW_TO_CONNECT,
  },
  {
    asked: pattern(
      'u',
      String.raw`^(?:who|what) (?:are|is) (?:you|wooster|this)\b|^what (?:model|llm|ai)\b.*\b(?:you|this|use`,
      String.raw`|using|running)\b|^(?:which|what) model\b|^are you (?:an? )?(?:ai|bot|robot|human|person`,
      '|llm|real|gpt|chatgpt|claude|language model)|^(?:introduce yourself|who (?:made|built|wrote',
      "|created) (?:you|wooster|this)|what's your name|what is your name|tell me about yourself",
      '|about yourself|your name)',
    ),
    answer: `${WHAT_I_AM}\n${HOW_TO_CONNECT}`,
  },
  {
    asked:
      /^(?:what|which) tools (?:do you have|are there|can you use)|^(?:list|show)(?: me)? (?:the |your |all )?tools$/u,
    answer: '/tools lists them, /plugins what brought more of them.',
  },
  {
    asked: /^(?:what|which) projects (?:do i have|are there)|^(?:list|show)(?: me)? (?:the |my |all )?projects$/u,
    answer: '/project list shows them; /project use NAME goes to one.',
  },
  {
    asked: pattern(
      'u',
      String.raw`\b(?:do you|are you|does this|is this)\b.*\b(?:internet|online|offline|cloud|network`,
      String.raw`|send my data|private|privacy|leave (?:my|this) (?:machine|computer))\b`,
    ),
    answer: [
      `Nothing you say to me leaves this machine: I run here, without network. Only what you ask for `,
      `goes out (a message to a channel of yours, a web search, a page). ${WHAT_I_AM}`,
    ].join(''),
  },
  {
    asked: pattern(
      'u',
      '^(?:good (?:morning|afternoon|evening|day)|hello|hi|hey|howdy|greetings|hiya|yo|moin',
      '|hallo)(?: (?:there|wooster|again|you|all))?$',
    ),
    answer: 'Hello. I am Wooster, running on the built-in model. What can I do for you? Say "help" for ideas.',
  },
  {
    asked: /^(?:how are you|how's it going|how do you do|how are things|what's up|sup|you ok)\b/u,
    answer: 'All in order, thank you. What can I do for you?',
  },
  { asked: /^(?:thanks|thank you|thx|cheers|much appreciated|great,? thanks|ta)\b/u, answer: 'You are welcome.' },
  {
    asked: /^(?:bye|goodbye|good night|see you|farewell|exit|quit)\b/u,
    answer: 'Goodbye. `/quit` leaves the program.',
  },
  {
    asked: /^(?:never ?mind|forget it|cancel that|cancel|stop|no|nope|no thanks?)$/u,
    answer: 'All right, I have done nothing.',
  },
  { asked: /^(?:ok|okay|yes|yep|sure|fine|good|great|nice|cool|perfect|well done|wow)$/u, answer: 'Good. What next?' },
];

/** Greetings, thanks, help and questions about Wooster itself. */
export const smallTalk: Recognizer = ({ lower }) => {
  const plain = lower.replace(/[?!.,\s]+$/u, '');
  const found = EXCHANGES.find(({ asked }) => asked.test(plain));
  return found && say(found.answer);
};

/** "What did I just say?", "repeat that". */
export const recall: Recognizer = ({ lower, earlier }) => {
  if (/^what (?:did|was) (?:i|my).*\b(?:say|said|ask|asked|question|message|tell)\b/u.test(lower)) {
    return say(quote('You said', earlier.findLast(({ by }) => by === 'person')?.text));
  }
  if (
    /^(?:repeat (?:that|it|yourself)|what did you (?:just )?(?:say|answer)|say (?:that|it) again|again)\b/u.test(lower)
  ) {
    return say(quote('I said', earlier.findLast(({ by }) => by === 'assistant')?.text));
  }
  return undefined;
};

/** A reminder that has come due is repeated as it stands, even when it speaks of a time. */
export const delivered: Recognizer = ({ text }) => (/^Reminder: \S/u.test(text) ? say(text) : undefined);

/** "Say hello": what a scheduled prompt often is. */
export const echo: Recognizer = ({ text }) => {
  const asked = /^(?:say|repeat after me:?|echo|answer with|reply with)\s+(.+)$/isu.exec(text)?.[1];
  return asked === undefined ? undefined : say(unquoted(asked));
};

/** When no recogniser takes a request: what it can do, and how to connect a model that can do more. */
export function notUnderstood(): Intent {
  return say(UNKNOWN);
}

/** `"hello".` becomes `hello.` */
function unquoted(text: string): string {
  return text.replace(/^(["'“])(.*)["'”]([.!?]?)$/su, '$2$3');
}

function quote(lead: string, text: string | undefined): string {
  return text === undefined ? 'Nothing yet: this conversation has just begun.' : `${lead}: "${text}"`;
}
