package corfu.transport.tcp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.util.UncheckedBooleanSupplier;

/**
 * Says where a connection receives: where a large frame is being put together, so that it is copied
 * once less; else in memory as large as reads have lately been.
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
