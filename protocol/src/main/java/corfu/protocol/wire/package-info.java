/**
 * Messages as bytes: one versioned schema, fixed layouts, little-endian. Enter at {@link
 * corfu.protocol.wire.FrameCodec}; {@code docs/wire-protocol.md} draws every layout. No code here
 * trusts a length that it reads.
 */
@NullMarked
package corfu.protocol.wire;

import org.jspecify.annotations.NullMarked;
