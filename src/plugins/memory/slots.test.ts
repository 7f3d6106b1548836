import { describe, expect, test } from 'vitest';
import { slotOf } from './slots.ts';

describe('the later of two facts takes the place of the earlier', () => {
  test.each([
    ['I live in Galway', 'I moved to Cork'],
    ['I live in Galway', 'ich wohne jetzt in Köln'],
    ['my dentist is Dr Flannery', 'My new dentist is Dr Bohan.'],
    ['my sister is called Maeve', "my sister's name is Aoife"],
    ['I like coffee', "I don't like coffee any more"],
    ['I love cheese', 'I hate cheese'],
    ['ich mag Fisch', 'ich mag keinen Fisch'],
    ['I eat meat', 'I no longer eat meat'],
    ['I am vegetarian', 'I am not vegetarian'],
    ['I work as a nurse', 'my job is a teacher'],
    ['my mother lives in Ennis', 'my mother lives in Sligo'],
    ["Anna's phone number is 123", "Anna's phone number is 456"],
    ['mein Lieblingsessen ist Pizza', 'mein Lieblingsessen ist Sushi'],
    ['my favourite colour is teal', 'my favourite colour is red'],
    ['I get up at 6:15', 'I wake up at 7'],
  ])('%s / %s', (earlier, later) => {
    expect(slotOf(later)).toBe(slotOf(earlier));
    expect(slotOf(later)).toBeDefined();
  });
});

describe('both of two facts stay', () => {
  test.each([
    ['I like coffee', 'I like tea'],
    ['my sister is a doctor', 'my sister is tall'],
    ['my sister is called Maeve', 'my brother is called Cathal'],
    ['I am allergic to peanuts', 'I am allergic to cats'],
    ['I speak Irish', 'I speak Spanish'],
    ['I live in Galway', 'my mother lives in Ennis'],
    ['I work as a nurse', 'I work for the city hospital'],
    ['my shoe size is 43', 'my shirt size is L'],
    ['the bins go out on Thursday', 'the bins are green'],
    ['I have a dog', 'I have a cat'],
  ])('%s / %s', (one, other) => {
    expect(slotOf(one) === undefined || slotOf(one) !== slotOf(other)).toBe(true);
  });
});
