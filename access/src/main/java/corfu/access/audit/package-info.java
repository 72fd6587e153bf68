/**
 * The audit log: refusals and privileged actions, counted together so that a flood of them stays
 * small, and the records of the log, which are a hash chain. Enter at {@link
 * corfu.access.audit.AuditTrail}; readers enter at {@link corfu.access.audit.AuditChain}.
 */
@NullMarked
package corfu.access.audit;

import org.jspecify.annotations.NullMarked;
