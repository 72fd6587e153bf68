/** The counter that orders: it issues tokens, and holds nothing that can't be lost. */
@NullMarked
package corfu.roles.sequencer;

import org.jspecify.annotations.NullMarked;
