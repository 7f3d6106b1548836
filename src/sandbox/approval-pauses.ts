/** Time that does not count against a script, because the user is deciding about an approval. Pauses may overlap. */
export class ApprovalPauses {
  #open = 0;
  #since = 0;
  #total = 0;

  /** @returns a function that ends this pause; calling it again changes nothing. */
  begin(): () => void {
    if (this.#open === 0) this.#since = performance.now();
    this.#open += 1;
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      this.#open -= 1;
      if (this.#open === 0) this.#total += performance.now() - this.#since;
    };
  }

  get active(): boolean {
    return this.#open > 0;
  }

  /** All paused time so far, including a pause in progress. */
  totalMs(): number {
    return this.#total + (this.active ? performance.now() - this.#since : 0);
  }
}
