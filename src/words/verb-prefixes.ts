const WRITTEN = `ab an auf aus bei durch ein entgegen fest frei heraus her hinzu hin kennen los mit nach nieder teil um
  unter vorbei vor weg weiter wieder zurück zusammen zu`;
const SPOKEN = 'dazu drauf herein herunter hinaus hoch raus rauf rein runter';

/** What stands apart from a German verb: "holt ... ab" is "abholen". Some are also words of other kinds: "hoch". */
export const VERB_PREFIXES = { written: WRITTEN.split(/\s+/u), spoken: `${WRITTEN} ${SPOKEN}`.split(/\s+/u) } as const;
