package corfu.silver.writeback;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DirtyRangesTest {

  private static final int MOST = 4096;
  private static final int FILE = 40_000;

  /** A file as one array, and which of its bytes were written. */
  private static final class Model {
    private final byte[] bytes = new byte[FILE];
    private final boolean[] isDirty = new boolean[FILE];

    private void write(int offset, byte[] data) {
      for (int i = 0; i < data.length; i++) {
        bytes[offset + i] = data[i];
        isDirty[offset + i] = true;
      }
    }

    private void truncate(int size) {
      for (int i = size; i < FILE; i++) {
        isDirty[i] = false;
      }
    }

    private void taken(DirtyRanges.Taken range) {
      ByteBuffer data = range.bytes().duplicate();
      assertThat(data.remaining()).isBetween(1, MOST);
      for (int at = (int) range.offset(); data.hasRemaining(); at++) {
        assertThat(isDirty[at]).as("byte %d is taken once", at).isTrue();
        assertThat(data.get()).as("byte %d", at).isEqualTo(bytes[at]);
        isDirty[at] = false;
      }
    }
  }

  private static void compare(DirtyRanges ranges, Model model, Random random) {
    int from = random.nextInt(FILE);
    int length = random.nextInt(FILE - from);
    Overlay overlay = new Overlay(from, length);
    ranges.copyTo(overlay);
    byte[] stored = new byte[length];
    random.nextBytes(stored);
    ByteBuffer read = overlay.over(ByteBuffer.wrap(stored));
    for (int i = 0; i < length; i++) {
      byte expected = model.isDirty[from + i] ? model.bytes[from + i] : stored[i];
      assertThat(read.get(i)).isEqualTo(expected);
    }
  }

  @Test
  void anySequenceOfWritesReadsAsAnArrayDoes() {
    for (int seed = 0; seed < 60; seed++) {
      Random random = new Random(seed);
      DirtyRanges ranges = new DirtyRanges(MOST);
      Model model = new Model();
      for (int step = 0; step < 200; step++) {
        switch (random.nextInt(8)) {
          case 0 -> {
            int size = random.nextInt(FILE);
            ranges.truncate(size);
            model.truncate(size);
          }
          case 1 -> compare(ranges, model, random);
          default -> {
            int offset = random.nextInt(FILE - 2 * MOST);
            byte[] data = new byte[1 + random.nextInt(random.nextBoolean() ? 100 : 2 * MOST)];
            random.nextBytes(data);
            ranges.write(offset, ByteBuffer.wrap(data));
            model.write(offset, data);
            if (random.nextBoolean()) {
              ranges.takeFull(offset, data.length).forEach(model::taken);
            }
          }
        }
      }
      ranges.takeAll().forEach(model::taken);
      assertThat(model.isDirty).containsOnly(false);
      assertThat(ranges.isEmpty()).isTrue();
      assertThat(ranges.cost()).isZero();
    }
  }

  @Test
  void aSequentialWriterMakesChunksOfTheLargestSize() {
    DirtyRanges ranges = new DirtyRanges(MOST);
    int full = 0;
    for (int offset = 0; offset < 10 * MOST; offset += 1000) {
      ranges.write(offset, ByteBuffer.allocate(1000));
      full += ranges.takeFull(offset, 1000).size();
    }
    assertThat(full).isEqualTo(10);
  }

  @Test
  void writesFromTheEndToTheBeginningBecomeOneChunk() {
    DirtyRanges ranges = new DirtyRanges(MOST);
    for (int offset = MOST - 64; offset >= 0; offset -= 64) {
      ranges.write(offset, ByteBuffer.allocate(64));
    }
    assertThat(ranges.takeAll())
        .singleElement()
        .matches(range -> range.bytes().remaining() == MOST);
  }
}
