import { ColumnNode, InsertQueryNode, type KyselyPlugin } from 'kysely';

/** All keys begin with the home, so the columns of `onConflict` need it too. */
export const homePlugin: KyselyPlugin = {
  transformQuery({ node }) {
    if (!InsertQueryNode.is(node) || !node.onConflict?.columns) return node;
    const columns = [ColumnNode.create('home'), ...node.onConflict.columns];
    return { ...node, onConflict: { ...node.onConflict, columns } };
  },
  async transformResult({ result }) {
    return result;
  },
};
