/**
 * Events for the audit log: refusals and privileged actions, counted together so that a flood of
 * them stays small. Enter at {@link corfu.access.audit.AuditTrail}.
 */
@NullMarked
package corfu.access.audit;

import org.jspecify.annotations.NullMarked;
