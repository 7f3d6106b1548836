/** The groups of `related.ts` for German. */
export const GERMAN_GROUPS = `
  hund hunde haustier haustiere tier tiere tierhaltung
  katze katzen haustier haustiere tier tiere tierhaltung
  hamster kaninchen vogel wellensittich haustier haustiere tiere tierhaltung kleintiere
  ausziehen auszug kündigen kündigung kündigungsfrist kündbar beenden mietende
  kündigen kündigung kündbar widerrufen widerruf laufzeit
  einziehen einzug mietbeginn beginnt übergabe
  anfangen beginnen beginn beginnt start startet
  aufhören enden endet ende schluss läuft
  kosten kostet preis betrag beträgt gebühr beitrag zahlen euro
  zahlen bezahlen überweisen entrichten fällig begleichen
  bekommen erhalten erstattet erstattung zurück
  miete grundmiete kaltmiete nettokaltmiete warmmiete gesamtmiete
  nebenkosten betriebskosten heizkosten vorauszahlung
  kaution sicherheit mietsicherheit sparbuch
  vermieter vermieterin hausverwaltung eigentümer eigentümerin
  wohnung mietsache räume
  größe groß fläche wohnfläche quadratmeter
  mittagsruhe ruhezeit ruhezeiten ruhe nachtruhe hausordnung leise lärm
  abend nacht
  steigt steigen erhöht erhöhen erhöhung teurer mieterhöhung
  leitet leiten leiter leiterin leitung
  müll abfall tonne tonnen mülltonne restmüll biomüll
  rad räder fahrrad fahrräder fahrradkeller
  auto wagen fahrzeug pkw kfz
  putzen reinigen reinigung treppenhaus säubern
  reparieren reparatur instandsetzung schönheitsreparaturen mangel
  kaputt defekt schaden störung fehler
  krank krankheit arbeitsunfähigkeit krankmeldung krankgeschrieben
  attest bescheinigung krankmeldung arbeitsunfähigkeitsbescheinigung nachweis
  tüv hauptuntersuchung hu prüfung
  verdienen verdiene gehalt vergütung bruttovergütung nettogehalt lohn
  homeoffice hause heimarbeit
  überstunden mehrarbeit
  versicherung selbstbeteiligung police
  zu geschlossen schließt
  offen geöffnet öffnungszeiten öffnet
  mitbringen bringen
  verfallen verfällt verjährt
  temperatur grad
  arzt ärztin praxis doktor
  medikament medikamente tablette tabletten arznei dosis
  krankenkasse kasse versicherung
  versicherung police versichert haftpflicht hausrat
  telefon telefonnummer nummer anrufen rufnummer erreichen handy
  mail email e-mail schreiben
  ofen backen backofen anbacken grad
  backen backt bäckt ofen
  kochen köcheln garen sieden braten
  ruhen gehen ziehen
  zutaten brauche braucht dazu
  rezept zubereitung gericht
  kind kinder sohn tochter schüler
  schule grundschule unterricht elternabend elterngespräch
  lehrer lehrerin klassenlehrer klassenlehrerin
  besuch gast gäste untervermietung
  erlaubt erlaubnis dürfen darf zustimmung gestattet verboten untersagt genehmigung
  rauchen raucher nichtraucher
  garantie gewährleistung
  kaufen kauf gekauft kaufdatum erworben
  strom energie kwh verbrauch
  wasser warmwasser
  heizung heizen therme
  internet dsl wlan anschluss
  abo abonnement vertrag mitgliedschaft
  treffen sitzung termin besprechung versammlung
  feier party sommerfest geburtstagsfeier geburtstag
  urlaub ferien reise
  ankommen ankunft abfahrt abflug
  gehalt lohn verdienst vergütung
  arbeit stelle beschäftigung tätigkeit
  chef chefin vorgesetzte vorgesetzter
  frist spätestens bis
  wohnen wohnt adresse anschrift straße
  ort raum wo adresse gasthaus
  unterschrieben unterzeichnet grüßen gez
  schlüssel wohnungsschlüssel haustürschlüssel
  konto iban bankverbindung
  rechnung abrechnung jahresabrechnung rechnungsbetrag gesamtbetrag
  nachzahlen nachzahlung nachzahlungsbetrag
  abschlag abschläge rate raten
  spät verspätet verzug zahlungsverzug verspätung mahnung mahngebühr überzogen säumnis
  bescheid mitteilen ankündigung ankündigen frist informieren kündigen kündigungsfrist
  reparatur reparaturen instandsetzung instandsetzungen kleinreparaturen instandhaltung
  leise ruhe ruhezeit ruhezeiten nachtruhe laut lärm
  stinken stinkt riechen riecht geruch muffig
  draußen außerhalb freien
  klauen geklaut stehlen gestohlen diebstahl einbruch
  einbruch einbruchdiebstahl diebstahl einbrecher
  überschwemmung hochwasser starkregen
  selbstbeteiligung selbstbehalt eigenanteil selbst
  schnell schnellste kurz express dauer
  losfahren abfahrt abreise anreise aufbruch los starten
  hinfahren anreise fahrt hinweg
  fressen futter füttern trockenfutter fleisch
  essen mahlzeit speise
  gefrierfach einfrieren eingefroren gefrieren tiefkühlen tiefgefroren gefriertruhe
  haltbar hält halten aufbewahren kühlschrank
  abholen abholung abholbereit holen
  zurückgeben rückgabe zurückbringen abgeben
  ausleihen leihen ausleihe leihgebühr verleih
  verlieren verloren verlust
  besuchen betreten besichtigen besichtigung zutritt
  reinkommen betreten zutritt besichtigen
  untervermieten untervermietung überlassung dritte
  streichen schönheitsreparaturen renovieren wände anstrich
  tierarzt tierärztin tierklinik praxis
  impfung impfen geimpft impfungen impftermin
  sitzen dauern höchstens länger
  mitnehmen mitbringen mitzubringen einpacken packen
  anmelden anmeldung
  verlängern verlängerung verlängert
  fliegen flug abflug flugzeug
  zug bahn ice abfahrt
  zahlen beitrag jahresbeitrag prämie
  kostet beitrag jahresbeitrag prämie preis gebühr
  schuld schulden offen ausstehend fällig rest restbetrag
  strafe bußgeld gebühr mahngebühr
  geld betrag summe
  erreichen telefon sprechstunde kontakt
  kontakt ansprechpartner ansprechpartnerin telefon
  training übungsstunde probe
  treff treffen sitzung versammlung
  nachbar nachbarn mieter hausbewohner
  krankmelden krankmeldung attest krankheit
  pausieren ruhen ruhezeit aussetzen stilllegen
  baden schwimmen bad schwimmbad
  grillen grill holzkohle elektrogrill
  parken parkplatz stellplatz garage
  rauchmelder feuermelder
  ablesen ablesung zähler
  oma großmutter opa großvater
  passwort kennwort code wlan-passwort pin
  zusatz extra zuschlag aufpreis
  steuer steuern hundesteuer grundsteuer
  wiegen gewicht schwer kg
  hochzeit trauung standesamt
  feiern feier fest
  probezeit einarbeitung
  lohn vergütung gehalt ausgezahlt auszahlung
  rabatt personalrabatt nachlass ermäßigung
  proben probt probe chor
  absagen stornieren stornierung storno
  anziehen kleidung tragen
  trinken milch wasser getränk
  fahren gefahren fahrer
  sauber putzen reinigen säubern
  kümmern warten wartung zuständig
  buch bücher medien medium film filme spiel spiele zeitschrift`;
