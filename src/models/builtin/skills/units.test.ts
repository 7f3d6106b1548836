import { expect, test } from 'vitest';
import { outcome } from '../../../testing/built-in-outcome.ts';

test.each([
  ['convert 10 miles to km', '10 miles = 16.09344 km'],
  ['change 10 miles into km', '10 miles = 16.09344 km'],
  ['100 F in C', '100 F = 37.77778 C'],
  ['convert -40 F to C', '-40 F = -40 C'],
  ['10 degrees C in F', '10 degrees C = 50 F'],
  ['20°C in °F', '20 °C = 68 °F'],
  ['60 mph in km/h', '60 mph = 96.56064 km/h'],
  ['how many grams are in a pound?', '1 pound = 453.5924 grams'],
  ['how many grams does half a pound have', '0.5 pound = 226.7962 grams'],
  ['how many feet in a mile', '1 mile = 5280 feet'],
  ['how many cups are there in 2 litres', '2 litres = 8.453506 cups'],
  ['how tall is 180 cm in feet', '180 cm = 5.905512 feet'],
  ['3 km is how many miles', '3 km = 1.864114 miles'],
  ['how many km is a 26.2 mile race', '26.2 mile = 42.16481 km'],
  ['wie viel sind 10 Meilen in km?', '10 Meilen = 16,09344 km'],
  ['rechne 10 Meilen in km um', '10 Meilen = 16,09344 km'],
  ['10 Meilen sind wie viele km', '10 Meilen = 16,09344 km'],
  ['200 Grad Fahrenheit in Celsius', '200 Grad Fahrenheit = 93,33333 Celsius'],
  ['wie viele Gramm hat ein Pfund?', '1 Pfund = 500 Gramm'],
  ['wie viele Tassen passen in 2 Liter', '2 Liter = 8,453506 Tassen'],
  ['wie schwer sind 10 Pfund in kg', '10 Pfund = 5 kg'],
  ['3 Gallonen in Liter', '3 Gallonen = 11,35624 Liter'],
])('%s', (text, said) => expect(outcome(text)).toBe(said));

test.each([
  ['a mile in km', '1 mile = 1.609344 km'],
  ['one mile in km', '1 mile = 1.609344 km'],
  ['half a pound in grams', '0.5 pound = 226.7962 grams'],
  ['1/4 of a pound in grams', '0.25 pound = 113.3981 grams'],
  ['1 1/2 cups in ml', '1.5 cups = 354.8824 ml'],
  ['2 and a half cups in ml', '2.5 cups = 591.4706 ml'],
  ['2 kg and a half in pounds', '2.5 kg = 5.511557 pounds'],
  ['two pounds and a half in kg', '2.5 pounds = 1.133981 kg'],
  ['10, km in miles', '10 km = 6.213712 miles'],
  ['10k in miles', '10 km = 6.213712 miles'],
  ['how many miles is a 10k run', '10 km = 6.213712 miles'],
  ['einem Liter in ml', '1 Liter = 1000 ml'],
  ['ein halbes Pfund in Gramm', '0,5 Pfund = 250 Gramm'],
  ['halbes Pfund in Gramm', '0,5 Pfund = 250 Gramm'],
  ['anderthalb Liter in ml', '1,5 Liter = 1500 ml'],
  ['eineinhalb Liter in ml', '1,5 Liter = 1500 ml'],
  ['zweieinhalb Liter in ml', '2,5 Liter = 2500 ml'],
  ['1,5 Liter in ml', '1,5 Liter = 1500 ml'],
])('an amount in words: %s', (text, said) => expect(outcome(text)).toBe(said));

test.each([
  ["convert 5'10 to cm", "5'10 = 177.8 cm"],
  ['how tall is 5\'10" in cm', '5\'10" = 177.8 cm'],
  ['5 foot 8 in cm', '5 foot 8 = 172.72 cm'],
  ['5ft 8in in cm', '5ft 8in = 172.72 cm'],
  ['11 stone 4 in kg', '11 stone 4 = 71.66759 kg'],
  ['11 st 4 in kg', '11 st 4 = 71.66759 kg'],
  ['what is 6 lb 3 oz in kg', '6 lb 3 oz = 2.806603 kg'],
  ['6 pounds and 3 ounces into kg', '6 pounds and 3 ounces = 2.806603 kg'],
  ['wie groß ist 5 Fuß 8 in cm', '5 Fuß 8 = 172,72 cm'],
  ["I'm 5 foot 8, what's that in cm?", '5 foot 8 = 172.72 cm'],
  ['I weigh 11 stone 4, what is that in kg?', '11 stone 4 = 71.66759 kg'],
  ["it's 30 km away, how far is that in miles?", '30 km = 18.64114 miles'],
])('two units, and a sentence before: %s', (text, said) => expect(outcome(text)).toBe(said));

test.each([
  ['3 gallons in litres', '3 gallons = 11.35624 litres (US) or 13.63827 litres (UK)'],
  ['a pint in ml', '1 pint = 473.1765 ml (US) or 568.2613 ml (UK)'],
  ['how many pints in a gallon', '1 gallon = 8 pints'],
])('%s: both where they differ', (text, said) => expect(outcome(text)).toBe(said));

test.each([
  ['10 kg in metres', 'kg measures mass, metres measures length: there is no conversion.'],
  ['wie viel sind 10 kg in Meter', 'kg und Meter messen Verschiedenes: das lässt sich nicht umrechnen.'],
])('%s cannot be', (text, said) => expect(outcome(text)).toBe(said));

test.each(['10 foo in bar', '10 km in foo', '1.2.3 km in miles'])('%s: no unit, or no number', (text) => {
  expect(outcome(text)).toMatch(/^I did not understand that\./u);
});
