/**
 * Requests and replies within one process: the same contract as over a network, without the bytes.
 * Enter at {@link corfu.transport.inprocess.InProcessNetwork}.
 */
@NullMarked
package corfu.transport.inprocess;

import org.jspecify.annotations.NullMarked;
