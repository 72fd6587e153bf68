/** Players of byte arrays: they follow an array, and keep its newest versions. */
@NullMarked
package corfu.bytes.internal.player;

import org.jspecify.annotations.NullMarked;
