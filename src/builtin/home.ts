const HOME = [
  /^(?:i|we) (?:now )?(?:live|reside|am based|are based) (?:now )?(?:in|near|at) (?:the )?(.+)$/iu,
  /^(?:i|we) (?:have )?moved to (.+)$/iu,
  /^(?:ich|wir) (?:wohnen?|leben?) (?:jetzt |nun )?(?:in|bei) (.+)$/iu,
  /^ich bin (?:jetzt )?(?:nach|in) (.+?) (?:um)?gezogen$/iu,
];

/** Where the owner lives, as far as they have told: the town without what stands behind it. */
export function homeOf({ facts = [] }: { readonly facts?: readonly string[] | undefined }): string | undefined {
  for (const fact of facts) {
    const place = HOME.map((form) => form.exec(fact)?.[1]).find((found) => found !== undefined);
    if (place !== undefined) return place.split(/,| (?:since|with|seit|mit) /u)[0]?.trim();
  }
  return undefined;
}
