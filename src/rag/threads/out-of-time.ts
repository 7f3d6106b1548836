/** What a reading process is ended by when it has used up the processor's time that it was given: as by such a timer. */
export const OUT_OF_TIME = 'SIGVTALRM';
