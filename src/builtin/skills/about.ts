import { phrases, type Slots } from '../phrases.ts';
import { type Skill, say } from '../request.ts';

/** Part of every answer about itself: nobody is to take it for a language model. */
const WHAT_I_AM = {
  en: [
    "I am Wooster's built-in model: a small, deterministic program that runs on this machine, not a large language",
    'model. I understand everyday requests (notes, lists, reminders, questions to your documents, arithmetic, units,',
    'dates, files) and nothing beyond them.',
  ].join(' '),
  de: [
    'Ich bin das eingebaute Modell von Wooster: ein kleines, deterministisches Programm auf diesem Rechner, kein',
    'großes Sprachmodell. Ich verstehe alltägliche Bitten (Notizen, Listen, Erinnerungen, Fragen zu deinen',
    'Unterlagen, Rechnen, Einheiten, Daten, Dateien) und nichts darüber hinaus.',
  ].join(' '),
};

/** In a code block the addresses stay as they are, so that the settings can be copied. */
const HOW_TO_CONNECT = {
  en: `To connect a real model, put one of these into .env and start again:
\`\`\`
OPENAI_BASE_URL=http://127.0.0.1:11434/v1
OPENAI_API_KEY=...
ANTHROPIC_API_KEY=...
GEMINI_API_KEY=...
\`\`\`
The first is for any OpenAI-compatible server (Ollama, LM Studio, llama.cpp, vLLM).
A local server on port 11434, 1234 or 8080 is found by itself. \`wooster models\` shows what is in use.`,
  de: `Um ein richtiges Modell anzuschließen, schreib eine dieser Zeilen in .env und starte neu:
\`\`\`
OPENAI_BASE_URL=http://127.0.0.1:11434/v1
OPENAI_API_KEY=...
ANTHROPIC_API_KEY=...
GEMINI_API_KEY=...
\`\`\`
Die erste ist für jeden Server mit OpenAI-Schnittstelle (Ollama, LM Studio, llama.cpp, vLLM).
Ein lokaler Server auf Port 11434, 1234 oder 8080 wird von selbst gefunden.
\`wooster models\` zeigt, was benutzt wird.`,
};

const HELP = {
  en: `I can
  take notes             note: the spare key is with Anna; what did I note yesterday?; delete my last note
  keep lists             add milk and eggs to my shopping list; what do I still need to buy?; tick off milk
  remind you             remind me tomorrow at 9 to call Anna; every weekday at 8 say good morning
  change reminders       list my reminders; move the dentist reminder to 3pm; cancel the dentist reminder
  search your documents  what do my documents say about the boiler? (after \`wooster ingest PATH\`)
  calculate              what is 15% of 80?; 20% off 80 euros; convert 10 miles to km
  reckon with dates      how many days until 24 December?; what time is it in Tokyo?
  read and write files   read notes.txt; write "hello" to hello.txt
  send and look up       notify me that dinner is ready; search the web for tide tables; fetch https://example.org

${WHAT_I_AM.en} /help lists the commands.`,
  de: `Ich kann
  Notizen machen         notiere: der Ersatzschlüssel ist bei Anna; was habe ich gestern notiert?
  Listen führen          setz Milch und Eier auf die Einkaufsliste; was muss ich noch kaufen?; hake Milch ab
  erinnern               erinnere mich morgen um 9 daran, Anna anzurufen; stelle einen Timer auf 10 Minuten
  Erinnerungen ändern    zeig meine Erinnerungen; verschieb den Zahnarzt auf 15 Uhr
  Unterlagen durchsuchen was steht in meinen Unterlagen über die Heizung? (nach \`wooster ingest PFAD\`)
  rechnen                was sind 15% von 80?; 20% Rabatt auf 80 Euro; wie viel sind 10 Meilen in km?
  mit Daten rechnen      wie viele Tage sind es bis Weihnachten?; wie spät ist es in Tokio?
  Dateien                lies notizen.txt; schreib „hallo“ in hallo.txt
  senden und suchen      benachrichtige mich, dass das Essen fertig ist; such im Internet nach Gezeitentabellen

${WHAT_I_AM.de} /help zeigt die Befehle.`,
};

const TOPICS: readonly {
  readonly asked: (request: string) => Slots | undefined;
  readonly en: string;
  readonly de: string;
}[] = [
  {
    asked: phrases({
      en: [
        `(help|help me|commands|show help|show me help|what can you do|what can i do|what can i ask|what can i
          say|what do you do|what else can you do|how can you help) {more:maybe}`,
        'what are you (able|good) {more}',
        `what [else] [sort|kind|sorts|kinds] [of] (things|stuff|questions|requests|commands) (can|could|do) (you|i)
          (ask|do|say|understand|answer|help) {more:maybe}`,
        'how do (i|you) (use|start|work with) (you|this|wooster)',
      ],
      de: [
        `(hilfe|hilf mir|was kannst du|was kann ich dich fragen|was kann ich sagen|wie kannst du mir
        helfen|befehle) {more:maybe}`,
      ],
    }),
    ...HELP,
  },
  {
    asked: phrases({
      en: [
        `[how do i|how can i|how to|can i|i want to] (connect|configure|set up|use|add|plug in|switch to|install)
          [a|an|the|another] [real|better|other|bigger|large|local|cloud|language|different] (model|llm|key|api
          key|openai|ollama|anthropic|claude|gemini|gpt) {more:maybe}`,
      ],
      de: [
        `(wie [kann ich|schließe ich|verbinde ich|benutze ich|richte ich]) [ein|einen|das]
        [richtiges|anderes|besseres|lokales|großes] (modell|sprachmodell|ollama|openai|claude|gemini|llm)
        [an|ein|anschließen|verbinden|benutzen|einrichten]`,
      ],
    }),
    ...HOW_TO_CONNECT,
  },
  {
    asked: phrases({
      en: [
        '(who|what) (are you|is wooster|is this|are you exactly) {more:maybe}',
        `(introduce yourself|who made you|who built you|who wrote you|what's your name|what is your name|tell me
          about yourself|about yourself|your name)`,
        '(what|which) (model|llm|ai) (are you|is this|do you use|are you using|is running) {more:maybe}',
        'are you [a|an] (ai|bot|robot|human|person|llm|real|gpt|chatgpt|claude|language model) {more:maybe}',
      ],
      de: [
        `(wer bist du|was bist du|wie heißt du|stell dich vor|bist du ein mensch|bist du eine ki|bist du
        chatgpt|welches modell bist du|welches modell benutzt du) {more:maybe}`,
      ],
    }),
    en: `${WHAT_I_AM.en}\n${HOW_TO_CONNECT.en}`,
    de: `${WHAT_I_AM.de}\n${HOW_TO_CONNECT.de}`,
  },
  {
    asked: phrases({
      en: ['(what|which) tools (do you have|are there|can you use)', '(list|show) [me] [the|your|all] tools'],
      de: ['welche (werkzeuge|tools) (hast du|gibt es)'],
    }),
    en: '/tools lists them, /plugins what brought more of them.',
    de: '/tools zeigt sie, /plugins was weitere mitgebracht hat.',
  },
  {
    asked: phrases({
      en: ['(what|which) projects (do i have|are there)', '(list|show) [me] [the|my|all] projects'],
      de: ['welche projekte (habe ich|gibt es)', '(zeig[e]) [mir] [meine|alle] projekte'],
    }),
    en: '/project list shows them; /project use NAME goes to one.',
    de: '/project list zeigt sie; /project use NAME wechselt zu einem.',
  },
  {
    asked: phrases({
      en: [
        `(do you|are you|does this|is this|is my data|does my data) {a:.*?}
          (internet|online|offline|cloud|network|my data|private|privacy|leave this machine|leave my computer)
          {more:maybe}`,
        '(do you|are you|does this|is this) (online|offline|private)',
      ],
      de: [
        `(bist du|sendest du|schickst du|sind meine daten|verlassen meine daten) {a:.*?}
        (internet|online|offline|cloud|daten|privat|sicher|rechner) {more:maybe}`,
      ],
    }),
    en: [
      `Nothing you say to me leaves this machine: I run here, without network. Only what you ask for`,
      `goes out (a message to a channel of yours, a web search, a page). ${WHAT_I_AM.en}`,
    ].join(' '),
    de: [
      `Nichts davon verlässt diesen Rechner: ich laufe hier, ohne Netz. Nur worum du bittest, geht`,
      `hinaus (eine Nachricht an dich, eine Suche im Web, eine Seite). ${WHAT_I_AM.de}`,
    ].join(' '),
  },
];

/** Help, what it is, how to connect a model, privacy. */
export const about: Skill = {
  name: 'about',
  examples: { en: [], de: [] },
  recognize: ({ plain, in: either }) => {
    const found = TOPICS.find(({ asked }) => asked(plain));
    return found && say(either(found.en, found.de));
  },
};
