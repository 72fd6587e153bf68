/** Parts of a replica that know nothing of its state machine. */
@NullMarked
package corfu.smr.internal;

import org.jspecify.annotations.NullMarked;
