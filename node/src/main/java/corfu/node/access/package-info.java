/**
 * Permissions at a server: the gate in front of its roles, with the policy that a client of the
 * server's own follows in the log. Enter at {@link corfu.node.access.ServerAccess}.
 */
@NullMarked
package corfu.node.access;

import org.jspecify.annotations.NullMarked;
