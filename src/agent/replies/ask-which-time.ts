/** What a model is told where only the person knows the time: it would make one up. */
export const ASK_WHICH_TIME = 'Ask the user which time is meant, in plain text.';
