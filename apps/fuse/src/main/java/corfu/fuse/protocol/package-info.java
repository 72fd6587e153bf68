/**
 * The messages of the kernel's FUSE protocol, 7.31 to 7.45, and their bytes. Enter at {@link
 * corfu.fuse.protocol.RequestDecoder} and {@link corfu.fuse.protocol.ReplyEncoder}.
 *
 * <p>All numbers have the machine's byte order. The layouts are drawn in {@code docs/fuse.md}.
 */
@NullMarked
package corfu.fuse.protocol;

import org.jspecify.annotations.NullMarked;
