package corfu.nbd.internal.session;

import corfu.nbd.internal.protocol.HeaderStyle;
import corfu.nbd.internal.protocol.NbdRequest;
import corfu.nbd.internal.protocol.ReplyHeaders;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;

/**
 * The reply to a read. Where the style has chunks and the client allows it, zeros travel as holes.
 * Devices need not tell where their holes are: a look at the first bytes of a block nearly always
 * finds data.
 */
final class ReadReply {

  /** Smaller runs of zeros are not worth a chunk. Blocks are aligned in the export. */
  private static final int BLOCK_BYTES = 4096;

  private static final ByteBuffer ZEROS = ByteBuffer.allocate(BLOCK_BYTES).asReadOnlyBuffer();

  private final ClientLink link;
  private final HeaderStyle style;
  private final NbdRequest request;
  private final ByteBuf data;

  private ReadReply(ClientLink link, HeaderStyle style, NbdRequest request, ByteBuf data) {
    this.link = link;
    this.style = style;
    this.request = request;
    this.data = data;
  }

  /**
   * Sends a reply.
   *
   * @param data the bytes, 1 or more, which this method releases
   * @param mayFragment whether several chunks are allowed
   */
  static void send(
      ClientLink link, HeaderStyle style, NbdRequest request, ByteBuf data, boolean mayFragment) {
    if (!style.hasChunks()) {
      ReplyHeaders.simple(link.out(), request, 0);
      link.send(data);
    } else if (mayFragment) {
      new ReadReply(link, style, request, data).sendRuns();
    } else {
      int length = data.readableBytes();
      ReplyHeaders.data(link.out(), style, request, request.offset(), length, true);
      link.send(data);
    }
  }

  private void sendRuns() {
    int start = 0;
    boolean isHole = isZeroBlock(0);
    int at = blockEnd(0);
    int length = data.readableBytes();
    while (at < length) {
      boolean isZero = isZeroBlock(at);
      if (isZero != isHole) {
        sendRun(start, at, isHole, false);
        start = at;
        isHole = isZero;
      }
      at = blockEnd(at);
    }
    sendRun(start, length, isHole, true);
    data.release();
  }

  private void sendRun(int start, int end, boolean isHole, boolean last) {
    long offset = request.offset() + start;
    if (isHole) {
      ReplyHeaders.hole(link.out(), style, request, offset, end - start, last);
    } else {
      ReplyHeaders.data(link.out(), style, request, offset, end - start, last);
      link.send(data.retainedSlice(data.readerIndex() + start, end - start));
    }
  }

  /** Returns the end of the block of the export in which a byte of the data lies. */
  private int blockEnd(int at) {
    long inBlock = (request.offset() + at) % BLOCK_BYTES;
    return (int) Math.min(data.readableBytes(), at + BLOCK_BYTES - inBlock);
  }

  private boolean isZeroBlock(int at) {
    int length = blockEnd(at) - at;
    int from = data.readerIndex() + at;
    return length == BLOCK_BYTES
        && data.getLong(from) == 0
        && data.nioBuffer(from, length).mismatch(ZEROS) < 0;
  }
}
