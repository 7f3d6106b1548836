import type { Block, Statement } from '../grammar/ast.ts';
import { JUMPS } from './statement-facts.ts';

type Body = Pick<Block, 'statements'>;

/** Whether control never comes behind a block: it returns, or a loop goes on or ends. */
export function leaves(block: Body): boolean {
  return alwaysEnds(block) || block.statements.some(({ type }) => JUMPS.has(type));
}

/** Whether control never reaches the end of a block: every path through it returns. */
export function alwaysEnds({ statements }: Body): boolean {
  return statements.some((node) => {
    if (node.type === 'ReturnStatement') return true;
    if (node.type === 'TryCatch') return alwaysEnds(node.body) && node.catches.every(({ body }) => alwaysEnds(body));
    return node.type === 'IfElse' && ifAlwaysEnds(node);
  });
}

function ifAlwaysEnds({ body, otherwise }: Statement & { type: 'IfElse' }): boolean {
  if (!otherwise || !alwaysEnds(body)) return false;
  return otherwise.type === 'IfElse' ? ifAlwaysEnds(otherwise) : alwaysEnds(otherwise);
}

/** Whether a block returns a value anywhere. */
export function hasReturn(block: Block): boolean {
  return has(block, (node) => node.type === 'ReturnStatement' && node.value !== undefined);
}

/** Whether a block prints anywhere. */
export function hasPrint(block: Block): boolean {
  return has(block, (node) => node.type === 'PrintStatement');
}

/** Does not descend into nested functions. */
function has({ statements }: Block, wanted: (node: Statement) => boolean): boolean {
  return statements.some((node) => wanted(node) || blocksOf(node).some((block) => has(block, wanted)));
}

function blocksOf(node: Statement): readonly Block[] {
  switch (node.type) {
    case 'IfElse': {
      const { body, otherwise } = node;
      if (!otherwise) return [body];
      return otherwise.type === 'IfElse' ? [body, ...blocksOf(otherwise)] : [body, otherwise];
    }
    case 'ForStatement':
    case 'WhileStatement':
      return [node.body];
    case 'TryCatch':
      return [node.body, ...node.catches.map(({ body }) => body)];
    default:
      return [];
  }
}
