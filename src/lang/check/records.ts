import type { ObjectLiteral } from '../grammar/ast.ts';
import type { Here } from './checker.ts';
import { isAssignable, membersOf, NULL, type Type } from './types.ts';

/** Check a record literal against the expected declared type. @returns false if another type is expected. */
export function checkRecord(node: ObjectLiteral, wanted: Type, { checker, scope }: Here): boolean {
  const records = membersOf(wanted).filter((type) => type.kind === 'record');
  const [record] = records;
  if (records.length !== 1 || !record || record.name === undefined) return false;
  const fields = record.fields();
  for (const { key, value } of node.properties) {
    const field = fields.get(key.name);
    if (field) checker.expect(value, field, scope);
    else {
      checker.typeOf(value, scope);
      checker.reportNoField(record, key);
    }
  }
  const given = new Set(node.properties.map(({ key }) => key.name));
  const missing = [...fields].filter(([name, type]) => !given.has(name) && !isAssignable(NULL, type));
  if (missing.length > 0) {
    const names = missing.map(([name]) => `\`${name}\``).join(', ');
    checker.context.report('TL3007', node.location, `${record.name} also needs ${names}`);
  }
  return true;
}
