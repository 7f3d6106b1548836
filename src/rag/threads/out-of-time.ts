/** What a reading process is ended by when it has used up its share of the processor's time: as by such a timer. */
export const OUT_OF_TIME = 'SIGVTALRM';
