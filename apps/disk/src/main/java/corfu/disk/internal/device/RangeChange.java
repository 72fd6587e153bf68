package corfu.disk.internal.device;

import java.nio.ByteBuffer;

public sealed interface RangeChange {
  record Write(long offset, ByteBuffer data) implements RangeChange {}

  record Punch(long offset, long length) implements RangeChange {}

  record Resize(long sizeBytes) implements RangeChange {}
}
