/**
 * The gate in front of a server's roles. It decides on each request by the policy, before a role
 * sees it, and hides entries in replies.
 *
 * <p>Enter at {@link corfu.access.gate.AccessGate}. Each kind of requests has its rules: {@code
 * LogUnitRules}, {@code SequencerRules}, {@code LayoutRules}, {@code NodeRules}. {@code
 * ReplyFilter} hides what a client may not see.
 */
@NullMarked
package corfu.access.gate;

import org.jspecify.annotations.NullMarked;
