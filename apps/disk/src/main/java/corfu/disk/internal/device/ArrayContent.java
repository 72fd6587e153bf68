package corfu.disk.internal.device;

import corfu.bytes.BytesView;
import java.nio.ByteBuffer;
import java.util.List;

/** A version of a byte array as the content of a disk. Thread-safe. */
public record ArrayContent(BytesView view) implements DiskContent {

  @Override
  public ByteBuffer read(long offset, int length) {
    return view.read(offset, length);
  }

  @Override
  public List<DataRange> ranges(long from, long to, int most) {
    return view.ranges(from, to, most).stream()
        .map(
            range ->
                new DataRange(range.offset(), range.length(), range.address(), range.position()))
        .toList();
  }
}
