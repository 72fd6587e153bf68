/**
 * The duration of calls whose servers become silent or slow in their middle. {@link
 * corfu.proof.deadline.CallsEndTest} covers every public call.
 */
@NullMarked
package corfu.proof.deadline;

import org.jspecify.annotations.NullMarked;
