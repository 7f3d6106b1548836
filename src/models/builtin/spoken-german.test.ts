import { expect, test } from 'vitest';
import { foundInGerman } from './found-in-german.ts';
import { loadUnits } from './measure.ts';
import { recognizeIntent } from './recognize.ts';
import type { PriorMessage } from './request.ts';

/** A Sunday, 21:00 in Berlin. */
const NOW = new Date('2026-11-22T20:00:00Z');
const units = await loadUnits();

function outcome(text: string, ...before: string[]): unknown {
  const earlier = before.flatMap((said): PriorMessage[] => [
    { by: 'person', text: said },
    { by: 'assistant', text: 'Gut.' },
  ]);
  return outcomeAfter(text, earlier);
}

function outcomeAfter(text: string, earlier: readonly PriorMessage[]): unknown {
  const found = recognizeIntent({ text, now: NOW, timeZone: 'Europe/Berlin', can: () => true, earlier, units });
  if (found.kind === 'needs units') throw new Error('the units are there');
  return found.kind === 'act' ? found.actions.map(({ tool, input }) => ({ tool, ...input })) : found.text;
}

const onList = 'setz Milch auf die Einkaufsliste';
const packing = 'leg mir ne packliste für wien an: reisepass, ladekabel';
const shopping = { tool: 'change_list', list: 'shopping' };

test.each<[said: string, before: string[], action: Record<string, unknown>]>([
  ['ach und Spülmittel ist auch alle', [onList], { ...shopping, add: ['Spülmittel'] }],
  ['was fehlt noch auf der Umzugsliste?', [], { tool: 'show_lists', list: 'umzug' }],
  ['Notiere, dass der Ableser am 2. Dezember kommt', [], { text: 'der Ableser kommt am 2. Dezember' }],
  ['die Notiz mit dem Ableser kann weg', [], { tool: 'delete_note', about: 'Ableser' }],
  ['Einkaufsliste: Linsen, Karotten und Zwiebeln', [], { ...shopping, add: ['Linsen', 'Karotten', 'Zwiebeln'] }],
  ['was steht denn schon auf der Einkaufsliste?', [], { tool: 'show_lists', list: 'shopping' }],
  ['Die Karotten hab ich schon im Korb', [onList], { tool: 'change_list', tick: ['Karotten'] }],
  ['Zwiebeln bitte wieder löschen', [onList], { tool: 'change_list', remove: ['Zwiebeln'] }],
  ['Klopapier brauchen wir auch noch', [onList], { ...shopping, add: ['Klopapier'] }],
  ['nimm die Milch wieder von der Liste', [onList], { tool: 'change_list', remove: ['Milch'] }],
  ['pack Zelt und Kocher auf meine Packliste fürs Zelten', [], { list: 'packing', add: ['Zelt', 'Kocher'] }],
  ['was habe ich vor?', [], { tool: 'list_schedules' }],
  ['hab ich am Freitag schon was vor?', [], { tool: 'list_schedules' }],
  ['schieb den Zahnarzt eine Stunde vor', [], { tool: 'reschedule', id: 'Zahnarzt', when: 'eine Stunde früher' }],
  ['die Wäsche-Erinnerung kann weg', [], { tool: 'cancel_schedule', id: 'Wäsche' }],
  ['sag mir am 4.12. um 17 Uhr Bescheid, dass ich Plätzchen backen soll', [], { text: 'Plätzchen backen' }],
  ['am letzten Werktag im Monat um 9 soll ich die Akte abgeben, erinner mich dran', [], { text: 'die Akte abgeben' }],
  ['erinner mich alle 14 Tage dienstags um 18 Uhr an den gelben Sack', [], { text: 'gelber Sack' }],
  ['Fenster und Herd kommen auf die To-do-Liste', [], { tool: 'change_list', list: 'to-do', add: ['Fenster', 'Herd'] }],
  ['ich muss noch Oma anrufen, setz das auf meine Todo-Liste', [], { tool: 'change_list', add: ['Oma anrufen'] }],
  ['Und Klopapier bitte auch noch', [onList], { ...shopping, add: ['Klopapier'] }],
  ['kannst du mehl wieder runternehmen', [onList], { tool: 'change_list', remove: ['mehl'] }],
  ['Könnten Sie Butter auf die Einkaufsliste setzen', [], { ...shopping, add: ['Butter'] }],
  ['Setzen Sie bitte Butter auf die Einkaufsliste', [], { ...shopping, add: ['Butter'] }],
  ['pack mal bitte nudeln auf den einkaufszettel', [], { ...shopping, add: ['nudeln'] }],
  ['ach ja und knoblauch', [onList], { ...shopping, add: ['knoblauch'] }],
  ['nudeln hab ich gekauft', [onList], { tool: 'change_list', tick: ['nudeln'] }],
  ['Was hab ich noch zu erledigen?', [], { tool: 'show_lists', list: 'to-do' }],
  ['was muss ich im supermarkt alles holen?', [], { tool: 'show_lists' }],
  ['hab ich noch irgendwelche erinnerungen?', [], { tool: 'list_schedules' }],
  ['wann kommt die nächste erinnerung?', [], { tool: 'list_schedules' }],
  [
    'jeden ersten sonntag im monat um 18 uhr zähler ablesen',
    [],
    { tool: 'schedule', text: 'zähler ablesen', as: 'reminder' },
  ],
  ['Was fehlt mir noch vom Einkaufen?', [], { tool: 'show_lists', list: 'shopping' }],
  ['was muss noch eingekauft werden', [], { tool: 'show_lists', list: 'shopping' }],
  [packing, [], { tool: 'change_list', list: 'packing', add: ['reisepass', 'ladekabel'] }],
  ['was muss ich noch einpacken?', [packing], { tool: 'show_lists', list: 'packing' }],
  ['oma ist angerufen', ['was steht auf meiner todo liste?'], { tool: 'change_list', list: 'to-do', tick: ['oma'] }],
  ['was steht auf meiner todo liste?', [], { tool: 'show_lists', list: 'to-do' }],
  ['lösch die notiz mit dem klempner wieder', [], { tool: 'delete_note', about: 'klempner' }],
  ['was hab ich heute alles notiert?', [], { tool: 'list_notes', from: '2026-11-22', to: '2026-11-22' }],
  ['welche erinnerungen hab ich denn noch?', [], { tool: 'list_schedules' }],
  ['die mit der mülltonne kannst du streichen', [], { tool: 'cancel_schedule', id: 'mülltonne' }],
  ['wann war nochmal das mit der krankenkasse?', [], { tool: 'list_schedules' }],
  ['Alle Erinnerungen löschen bitte', [], { tool: 'list_schedules' }],
  ['stell pilates auf mittwoch 19 uhr', [], { tool: 'reschedule', id: 'pilates', when: 'mittwoch 19 uhr' }],
  ['Benenn die Yoga-Erinnerung um in Pilates', [], { tool: 'rename_schedule', id: 'Yoga', text: 'Pilates' }],
  ['rename the yoga reminder to pilates', [], { tool: 'rename_schedule', id: 'yoga', text: 'pilates' }],
  ['mach den Quark wieder von der Liste', [onList], { tool: 'change_list', remove: ['Quark'] }],
  ['mach Quark doch wieder runter', [onList], { tool: 'change_list', remove: ['Quark'] }],
  ['Quark haben wir', [onList], { tool: 'change_list', tick: ['Quark'] }],
  ['servus, setz Butter auf die Einkaufsliste', [], { ...shopping, add: ['Butter'] }],
  ['welche wecker sind denn noch gestellt?', [], { tool: 'list_schedules' }],
  ['Was steht an am 30.?', [], { tool: 'list_schedules' }],
  ['Notier bitte auch noch: Reifen gewechselt', [], { tool: 'write_note', text: 'Reifen gewechselt' }],
  ['Notiere außerdem, dass der Keller feucht ist', [], { tool: 'write_note', text: 'der Keller ist feucht' }],
  ['Ändere die Notiz zum Keller in: alles trocken', [], { tool: 'delete_note', about: 'Keller' }],
  ['Ändere die Notiz zum Keller in: alles trocken', [], { tool: 'write_note', text: 'alles trocken' }],
  [
    'Ich habe am Freitag um 15 Uhr Friseur, erinnere mich zwei Stunden vorher',
    [],
    { tool: 'schedule', when: '2026-11-27T12:00:00.000Z', text: 'Friseur', as: 'reminder' },
  ],
  [
    'Elternabend am 4. Dezember um 19 Uhr, erinner mich bitte einen Tag vorher daran',
    [],
    { tool: 'schedule', when: '2026-12-03T18:00:00.000Z', text: 'Elternabend', as: 'reminder' },
  ],
  ['Ich brauch jeden Morgen um 7 eine Erinnerung an die Tropfen', [], { tool: 'schedule', text: 'Tropfen' }],
  ['Der Ölwechsel ist doch erst am 30.', [], { tool: 'reschedule', id: 'Ölwechsel', when: 'am 30.' }],
  ['Das Turnen wurde auf Freitag verschoben', [], { tool: 'reschedule', id: 'Turnen', when: 'Freitag' }],
  ['wann wollte ich nochmal zum Zahnarzt?', [], { tool: 'list_schedules' }],
  ['stell bitte den Wecker wieder aus', [], { tool: 'cancel_schedule', id: 'aufstehen' }],
  ['Lösch den Wecker bitte wieder', [], { tool: 'cancel_schedule', id: 'aufstehen' }],
  ['Milch ist doch noch genug da, nimm sie wieder runter', [onList], { tool: 'change_list', remove: ['Milch'] }],
  ['Nudeln brauchen wir doch nicht, kannst du streichen', [onList], { tool: 'change_list', remove: ['Nudeln'] }],
  ['Nudeln hab ich gerade eingesteckt', [onList], { tool: 'change_list', tick: ['Nudeln'] }],
  ['Sind Nudeln noch drauf?', [onList], { tool: 'show_lists', list: 'shopping' }],
  ['schmeiß die Notiz mit dem Keller weg', [], { tool: 'delete_note', about: 'Keller' }],
  [
    'Merk dir, dass der Deckel vom Topf bei Oma liegt',
    [],
    { tool: 'remember', text: 'der Deckel vom Topf liegt bei Oma' },
  ],
  ['Das Turnen fängt ab jetzt schon um 17:30 an', [], { tool: 'reschedule', id: 'Turnen', when: 'um 17:30' }],
  ['Den Friseur-Termin brauchst du mir nicht mehr sagen', [], { tool: 'cancel_schedule', id: 'Friseur' }],
  ['Der Friseurtermin hat sich erledigt', [], { tool: 'cancel_schedule', id: 'Friseur' }],
  ['An die Tropfen musst du mich nicht mehr erinnern', [], { tool: 'cancel_schedule', id: 'Tropfen' }],
  ['Hab ich für Freitag schon irgendwas?', [], { tool: 'list_schedules' }],
  ['Bin ich am Donnerstag frei?', [], { tool: 'list_schedules' }],
  ['wann klingelt das mit dem Kuchen?', [], { tool: 'list_schedules' }],
  [
    'Ich hab am 2. Dezember um 9 Termin beim Amt, sag mir am Abend vorher um 20 Uhr Bescheid',
    [],
    { tool: 'schedule', when: '2026-12-01T19:00:00.000Z', text: 'Termin beim Amt', as: 'reminder' },
  ],
  ['Ich muss noch Nudeln und Reis besorgen', [], { ...shopping, add: ['Nudeln', 'Reis'] }],
  ['Schreib bitte 2 Dosen Mais dazu', ['ich brauche Reis', 'Mehl fehlt auch'], { ...shopping, add: ['2 Dosen Mais'] }],
  ['Quark ist noch im Kühlschrank, der kann runter', [onList], { tool: 'change_list', remove: ['Quark'] }],
  ['Das Ladekabel liegt schon im Koffer', [packing], { tool: 'change_list', tick: ['Ladekabel'] }],
  ['was muss ich jetzt noch holen?', [], { tool: 'show_lists', list: 'shopping' }],
  ['Notiz: Rohr ist dicht', [], { tool: 'write_note', text: 'Rohr ist dicht' }],
  ['Vermerke, dass das Rohr dicht ist', [], { tool: 'write_note', text: 'das Rohr ist dicht' }],
  ['Die Notiz mit dem Rohr hat sich erledigt', [], { tool: 'delete_note', about: 'Rohr' }],
  ['meine letzten Notizen bitte', [], { tool: 'list_notes' }],
  ['was hatte ich zum Rohr notiert?', [], { tool: 'list_notes', query: 'Rohr' }],
  ['Ist nächste Woche irgendwas los?', [], { tool: 'list_schedules' }],
  ['was geht morgen so?', [], { tool: 'list_schedules' }],
  ['Ich soll Tom um 23 Uhr anrufen, erinner mich dran', [], { tool: 'schedule', text: 'Tom anrufen' }],
  ['Jeden Freitag um 13:30 Yoga, erinner mich bitte', [], { tool: 'schedule', text: 'Yoga' }],
  ['Yoga eine halbe Stunde nach vorne schieben', [], { tool: 'reschedule', when: 'eine halbe Stunde früher' }],
  ['auf wann hast du Oma eingetragen?', [], { tool: 'list_schedules' }],
  ['mach die Gymnastik auf 18 Uhr', [], { tool: 'reschedule', id: 'Gymnastik', when: '18 Uhr' }],
  ['nenn mir alles, woran du mich erinnern sollst', [], { tool: 'list_schedules' }],
  ['Linsen und Reis einkaufen', [], { ...shopping, add: ['Linsen', 'Reis'] }],
  ['Für den Kuchen brauchen wir noch Sahne', [], { ...shopping, add: ['Sahne'] }],
  ['Reis hat Jana schon mitgebracht', [onList], { tool: 'change_list', tick: ['Reis'] }],
  ['Reis kannst du runternehmen', [], { tool: 'change_list', remove: ['Reis'] }],
  ['Neue Liste fürs Zelten: Kocher, Lampe', [], { tool: 'change_list', list: 'zelten', add: ['Kocher', 'Lampe'] }],
  ['Mach die Einkaufsliste leer', [], { ...shopping, clear: true }],
  ['welche Notizen gibt es zum Rohr?', [], { tool: 'list_notes', query: 'Rohr' }],
  ['und am Freitag?', ['Hallo, was steht heute an?', 'und morgen?'], { tool: 'list_schedules' }],
  ['and on friday?', ["what's on tomorrow?"], { tool: 'list_schedules' }],
  ['und am Freitag?', ['wie wird das Fest?'], { tool: 'query_rag' }],
  ['bei wieviel grad kommt der strudel in ofen', [], { tool: 'query_rag' }],
  [
    'Erinnern Sie mich bitte am 4. Dezember um 10 Uhr an den Anruf bei der Kasse.',
    [],
    { tool: 'schedule', when: '2026-12-04T09:00:00.000Z', text: 'Anruf bei der Kasse', as: 'reminder' },
  ],
])('"%s" is done', (said, before, action) =>
  expect(outcome(said, ...before)).toContainEqual(expect.objectContaining(action)),
);

test.each([
  ['wie spät isses grad in tokio', /^In tokio ist es 05:00 Uhr, Montag/u],
  ['Meine Tochter ist am 8. Juli 2017 geboren, wie alt ist sie?', /^9 Jahre, geboren am/u],
  ['dritter donnerstag im januar 2027?', 'Das ist Donnerstag, 21. Januar 2027.'],
  ['wieviele arbeitstage hat der dezember 2026', /^Dezember 2026: 23 Arbeitstage/u],
  ['Die Jacke kostet 129 Euro, es gibt 30 % Rabatt. Was zahl ich?', /^90,30 Euro/u],
  ['wie viel netto sind 119 euro brutto bei 19 prozent mwst', /^100 euro/u],
  ['Essen für 84,60 Euro, 3 Personen, 8 % Trinkgeld, was zahlt jeder?', /^30,46 für jeden/u],
  ['Was sind 59,90 € inklusive 19 % MwSt netto?', /^50,34 €/u],
  ['Wenn es in Lissabon 9 Uhr ist, wieviel Uhr ist es dann bei uns?', /^Das ist hier 10:00 Uhr/u],
  ['wieviel tage sind es noch bis silvester', /^Es sind noch 39 Tage/u],
  ['Wie viele Wochen hat das Jahr 2026?', '2026 hat 53 Kalenderwochen.'],
  ['Ich bin Jahrgang 1988, wie alt werde ich dieses Jahr?', '38 Jahre.'],
  ['Ich bin Jahrgang 1979, geboren am 4. Mai - wie alt bin ich?', /^47 Jahre/u],
  ['Auf die Rechnung von 64 Euro will ich 10 Prozent Trinkgeld geben', /^10 % Trinkgeld sind 6,40 Euro/u],
  ['Wieviel Stunden Zeitunterschied sind es nach Bangkok?', /^Bangkok ist hier jetzt 6 Stunden voraus/u],
  ['Wie groß ist der Zeitunterschied zu Tokio?', /^Tokio ist hier jetzt 8 Stunden voraus/u],
  ['3 Kilo Äpfel zu je 2,49 € - was macht das?', '7,47 € (3 × 2,49 €).'],
  ['Was war der 3. Oktober 1990 für ein Wochentag?', 'Das ist Mittwoch, 3. Oktober 1990.'],
  ['In wie vielen Wochen ist Weihnachten?', /^Es sind noch 4 Wochen/u],
  ['erinnere mich heute abend kurz nach acht an den Hund', /^Wann .*genaue Uhrzeit fehlt/u],
  ['erinnere mich immer am monatsletzten um 20 uhr an den Hund', /^Wann soll ich/u],
  ['hallo, na alles klar?', /^Alles in Ordnung/u],
  ['Guten Abend, was kannst du denn so?', /^Ich kann/u],
  ['wir waren 6 Leute und das Essen macht 171 Euro, was zahlt jeder?', /^28,50 für jeden/u],
  ['wenn der Beitrag von 240 Euro um 5 Prozent steigt, was zahle ich dann?', /^252 /u],
  ['1800 Euro im Jahr, wie viel im Monat?', /^150 Euro pro Monat/u],
  ['260 km bei 7 Litern auf 100 km, wie viel Sprit ist das?', '18,2 Liter.'],
  ['Ändere die Notiz: Training fällt aus', 'Welche Notiz ist das? Ein Wort daraus genügt.'],
  [
    'Übermorgen um 8 muss ich zum Zug, sag mir rechtzeitig Bescheid',
    'Wie lange vorher soll ich dich an „Zug“ erinnern?',
  ],
  ['Wie alt wird Mia nächstes Jahr? Sie ist am 5.6.2019 geboren', '8 Jahre im Jahr 2027.'],
  ['Unser Haus ist am 1. April 1987 geboren, wie alt wird es 2030?', '43 Jahre im Jahr 2030.'],
  ['Fällt Silvester aufs Wochenende?', /^Nein, das ist Donnerstag, 31/u],
  ['ist der 2.1.2027 ein Samstag?', /^Ja, das ist Samstag/u],
  ['Um wie viel Prozent steigt der Beitrag von 80 auf 92 Euro?', '+15 % von 80 auf 92.'],
  ['4 Karten zu je 25 Euro mit 10 Prozent Rabatt', '90 Euro (4 × 25 Euro, minus 10 %).'],
  ['Was kommt raus, wenn ich 12,50 und 7,25 zusammenrechne?', 'Summe (12,5; 7,25): 19,75.'],
  ['zähl mal 12, 15 und 20 zusammen', 'Summe (12; 15; 20): 47.'],
  ['Fang mal eine Liste mit Filmen an', 'Was soll auf die Liste „filme“?'],
  ['Super, danke dir!', 'Gern geschehen.'],
  ['ich brauche eine Erinnerung an die Steuer', /^Wann soll ich dich an „Steuer“ erinnern/u],
  ['Ich darf am Freitag das Rezept nicht vergessen', /^Um wie viel Uhr am Freitag, 27\. November/u],
  ['Am Samstag um 10 ist Markt, erinner mich am Vortag', /^Um wie viel Uhr am Freitag, 27\. .* an „Markt“ erinnern/u],
  ['12 Euro Parken pro Tag, 5 Tage, was kostet das?', '60 Euro (5 × 12 Euro).'],
  ['Ein Esslöffel sind wie viele Milliliter?', /= 15 Milliliter$/u],
  ['Moment, wie viel Uhr ist es jetzt eigentlich?', /^Es ist 21:00 Uhr/u],
  ['jetzt aber mal flott', /^Das habe ich nicht verstanden/u],
])('"%s" is answered', (said, answer) => {
  if (typeof answer === 'string') expect(outcome(said)).toBe(answer);
  else expect(outcome(said)).toMatch(answer);
});

/** What was said before, each with our own answer to it. */
function after(...texts: string[]): string {
  const earlier: PriorMessage[] = [];
  for (const text of texts.slice(0, -1)) {
    const [said = '', told] = text.split(' = ');
    const ours = told ?? String(outcomeAfter(said, earlier));
    earlier.push({ by: 'person', text: said }, { by: 'assistant', text: ours });
  }
  const last = outcomeAfter(texts.at(-1) ?? '', earlier);
  return typeof last === 'string' ? last : JSON.stringify(last);
}

test.each<[texts: string[], answer: string | RegExp]>([
  [['Was sind 15 % von 360 Euro?', 'und was bleibt dann noch übrig?'], '360 minus 54 = 306'],
  [['30 mal 14', 'davon die Hälfte?', 'und das durch 7'], '210 durch 7 = 30'],
  [['420 Euro plus 5 %', 'mal zwölf'], '441 mal zwölf = 5292'],
  [['5 Meilen in km', 'und in Metern?'], /= 8046,72 Metern$/u],
  [['Wann ist Pfingsten 2027?', 'welcher Wochentag ist das?'], /^Das ist Sonntag/u],
  [['Wann läuft der Pass ab? = Er gilt bis zum 3. Mai 2027. [a.md, Zeile 3]', 'wie lange ist das noch?'], /162 Tage/u],
  [['6 Tage zu 40 Euro, was macht das?', 'davon 50 Euro Gutschein abziehen'], '240 minus 50 = 190'],
  [['6 Tage zu 40 Euro, was macht das?', 'dazu noch 12,50 Versand'], '240 plus 12,50 = 252,5'],
  [
    ['weck mich = Geplant: aufstehen (job_1). Das kommt.', 'ach nee, mach halb sieben draus'],
    /"job_1","when":"06:30"/u,
  ],
  [
    ['erinnere mich = Geplant: Oma (job_1). Das kommt.', 'Geht das auch eine halbe Stunde früher?'],
    /halbe Stunde früher/u,
  ],
  [['erinnere mich = Geplant: Oma (job_1). Das kommt.', 'ginge das auch um 11 Uhr?'], /"job_1","when":"um 11 Uhr"/u],
  [['80 mal 5', 'und davon gehen 120 Euro Miete ab'], '400 minus 120 = 280'],
  [['Wie viele Tage sind es bis zum 11. Februar?', 'An welchem Wochentag ist das?'], /^Das ist Donnerstag/u],
  [['Was kostet der Kurs? = Er kostet monatlich 22,50 €. [a.md, Zeile 1]', 'und im Jahr?'], /^270 € pro jahr/iu],
  [['Erinnere mich am 14. Dezember an den TÜV', 'nee, doch lieber am 11.'], /^Um wie viel Uhr am Freitag, 11\. Dez/u],
  [['Morgen um 15 Uhr kommt der Maler, sag mir vorher Bescheid', 'eine halbe Stunde'], /2026-11-23T13:30/u],
  [['lösche alle meine Wecker = - a: x (job_1)\n- b: y (job_2)\nWelche davon? Sag „storniere“.', 'alle'], /_1".*_2"/u],
  [
    ['lösche alle meine Wecker = - a: x (job_1)\n- b: y (job_2)\nWelche davon? Sag „storniere“.', 'die zweite'],
    /job_2"/u,
  ],
])('%j goes on', (texts, answer) => expect(after(...texts)).toMatch(answer));

test('what a calendar file holds is said in German', () => {
  expect(foundInGerman('Zahnarzt on Thursday 3 December 2026 at 14:30 (Europe/Berlin) until 15:15, at Markt 8.')).toBe(
    'Zahnarzt am Donnerstag, 3. Dezember 2026 um 14:30 Uhr (Europe/Berlin) bis 15:15 Uhr, Ort: Markt 8.',
  );
  expect(foundInGerman('Drei Monate. [Vertrag.md, lines 3-9] [a b.pdf, p. 4] [x] on line 3')).toBe(
    'Drei Monate. [Vertrag.md, Zeilen 3-9] [a b.pdf, S. 4] [x] on line 3',
  );
});
