package corfu.transport.tcp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.util.UncheckedBooleanSupplier;

/**
 * Chooses the buffer into which a connection reads. The rest of a large frame goes directly into
 * the buffer that assembles it, which saves a copy. Other reads get a buffer as large as recent
 * reads were.
 */
final class FrameReceiver implements RecvByteBufAllocator {

  private final FrameAssembler frames;
  private final AdaptiveRecvByteBufAllocator usual = new AdaptiveRecvByteBufAllocator();

  FrameReceiver(FrameAssembler frames) {
    this.frames = frames;
  }

  @Override
  public ExtendedHandle newHandle() {
    return new Receiving((ExtendedHandle) usual.newHandle());
  }

  private final class Receiving extends DelegatingHandle implements ExtendedHandle {

    private final ExtendedHandle usually;

    private Receiving(ExtendedHandle usually) {
      super(usually);
      this.usually = usually;
    }

    @Override
    public ByteBuf allocate(ByteBufAllocator allocator) {
      ByteBuf room = frames.room();
      return room == null ? usually.allocate(allocator) : room;
    }

    @Override
    public boolean continueReading(UncheckedBooleanSupplier maybeMore) {
      return usually.continueReading(maybeMore);
    }
  }
}
