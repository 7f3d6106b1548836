import { ConfidenceTooLow } from './errors.ts';

const USUAL_THRESHOLD = 0.7;

/** A value with the model's own estimate of how sure it is. */
export class Confident<T = unknown> {
  readonly value: T;
  /** From 0 to 1. */
  readonly confidence: number;
  readonly reasoning: string;

  constructor(value: T, confidence: number, reasoning = '') {
    this.value = value;
    this.confidence = confidence;
    this.reasoning = reasoning;
  }

  isConfident(threshold: number = USUAL_THRESHOLD): boolean {
    return this.confidence >= threshold;
  }

  /** The value, whatever the confidence unless a threshold is given. @throws ConfidenceTooLow. */
  unwrap(threshold = 0): T {
    return this.expect(threshold);
  }

  /** @throws ConfidenceTooLow. */
  expect(threshold: number = USUAL_THRESHOLD): T {
    if (this.confidence < threshold) throw new ConfidenceTooLow(threshold, this.confidence);
    return this.value;
  }

  /** The value if the model is confident, otherwise the fallback. */
  or(fallback: T): T {
    return this.isConfident() ? this.value : fallback;
  }

  map<U>(change: (value: T) => U): Confident<U> {
    return new Confident(change(this.value), this.confidence, this.reasoning);
  }

  /** All values, with the lowest of their confidences. */
  static combine<T>(all: readonly Confident<T>[]): Confident<T[]> {
    const confidence = Math.min(1, ...all.map((each) => each.confidence));
    const reasons = all.map(({ reasoning }) => reasoning).filter((each) => each !== '');
    return new Confident(
      all.map(({ value }) => value),
      confidence,
      reasons.join('; '),
    );
  }

  toJSON(): { value: T; confidence: number; reasoning: string } {
    return { value: this.value, confidence: this.confidence, reasoning: this.reasoning };
  }

  toString(): string {
    const text = typeof this.value === 'string' ? this.value : JSON.stringify(this.value);
    return `${text} (confidence ${this.confidence})`;
  }
}

/** Wraps a value's schema in that of an answer with a confidence. */
export function confidentSchema(value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return {
    type: 'object',
    properties: {
      value,
      confidence: { type: 'number', minimum: 0, maximum: 1, description: 'how sure you are, from 0 to 1' },
      reasoning: { type: 'string', description: 'why, in one sentence' },
    },
    required: ['value', 'confidence', 'reasoning'],
    additionalProperties: false,
  };
}
