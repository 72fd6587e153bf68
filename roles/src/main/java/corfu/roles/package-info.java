/**
 * The servers' roles as deterministic state machines. Each role has a package of its own; no role
 * depends on another one, the network or the client.
 */
@NullMarked
package corfu.roles;

import org.jspecify.annotations.NullMarked;
