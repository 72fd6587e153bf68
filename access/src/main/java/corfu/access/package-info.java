/**
 * Permissions: subjects, targets, grants, roles and quotas, and the replicated policy that has them
 * all.
 *
 * <p>Enter at {@link corfu.access.AccessPolicy}, which decides, and at {@link
 * corfu.access.PolicyMachine}, which changes the policy in the order of the log. The package {@code
 * gate} applies the policy to the requests of a server.
 */
@NullMarked
package corfu.access;

import org.jspecify.annotations.NullMarked;
