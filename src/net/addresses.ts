import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * Ranges outside the public internet, and ranges that can embed such addresses.
 *
 * @see RFC 6890 and IANA's special-purpose address registries
 */
const REFUSED: readonly string[] = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  // The last one is public by its number, and answers on every machine in Azure as that machine's own host.
  ...['224.0.0.0/4', '240.0.0.0/4', '168.63.129.16/32'],
  ...['::/96', '100::/64', '2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20', '5f00::/16', '64:ff9b:1::/48'],
  ...['fc00::/7', 'fe80::/10', 'fec0::/10', 'ff00::/8'],
];

const REFUSED_RANGES = REFUSED.map((range) => ipaddr.parseCIDR(range));

/** IPv6 ranges with an IPv4 address in the last four bytes, by which they are judged. */
const MAPPED = ipaddr.parseCIDR('::ffff:0:0/96');
const NAT64 = ipaddr.parseCIDR('64:ff9b::/96');

/**
 * Whether this address is part of the public internet: it can be parsed, and neither it nor an embedded IPv4 address
 * lies in a special range.
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.kind() === 'ipv4') return !REFUSED_RANGES.some((range) => within(parsed, range));
  const inner = embeddedIPv4(parsed);
  if (inner !== undefined && !isPublicAddress(inner)) return false;
  if (within(parsed, MAPPED) || within(parsed, NAT64)) return true;
  return parsed.range() === 'unicast' && !REFUSED_RANGES.some((range) => within(parsed, range));
}

type Address = ReturnType<typeof ipaddr.parse>;

function within(address: Address, [base, bits]: ReturnType<typeof ipaddr.parseCIDR>): boolean {
  return address.kind() === base.kind() && address.match(base, bits);
}

/** The IPv4 address in a mapped, NAT64 or ISATAP address; the other embedding forms are refused as whole ranges. */
function embeddedIPv4(address: Address): string | undefined {
  const bytes = address.toByteArray();
  const isatap = bytes[10] === 0x5e && bytes[11] === 0xfe && ((bytes[8] ?? 0) & 0xfd) === 0 && bytes[9] === 0;
  if (isatap || within(address, MAPPED) || within(address, NAT64)) return bytes.slice(12).join('.');
  return undefined;
}
