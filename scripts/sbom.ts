/**
 * Writes what an installation is made of as a CycloneDX document: `npm run sbom > wooster.cdx.json`.
 *
 * `npm sbom --omit dev` leaves out every package that a development package needs too, zod for one; so npm lists the
 * whole lock, and the lock says what of it is for development.
 */
import { execFileSync } from 'node:child_process';
import { z } from 'zod';
import { productionPackages, ROOT } from './packages.ts';

const document = z.looseObject({
  metadata: z.looseObject({ component: z.looseObject({ 'bom-ref': z.string() }) }),
  components: z.array(z.looseObject({ 'bom-ref': z.string(), name: z.string(), version: z.string() })),
  dependencies: z.array(z.looseObject({ ref: z.string(), dependsOn: z.array(z.string()) })),
});

const MAX_BYTES = 50_000_000;
const args = ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx', '--sbom-type', 'application'];
const whole = document.parse(
  JSON.parse(execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: MAX_BYTES })),
);
const wanted = new Set(productionPackages().map(({ name, version }) => `${name}@${version}`));
const components = whole.components.filter(({ name, version }) => wanted.delete(`${name}@${version}`));
if (wanted.size > 0) throw new Error(`npm does not list ${[...wanted].join(', ')}`);
const refs = new Set([whole.metadata.component['bom-ref'], ...components.map((each) => each['bom-ref'])]);
const dependencies = whole.dependencies
  .filter(({ ref }) => refs.has(ref))
  .map((each) => ({ ...each, dependsOn: each.dependsOn.filter((ref) => refs.has(ref)) }));
process.stdout.write(`${JSON.stringify({ ...whole, components, dependencies }, undefined, 2)}\n`);
