package corfu.roles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.world.DiskException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class TwinFileTest {

  private static final String NAME = "state";
  private static final long MAGIC = 0x4e495754;
  private static final int MAX_BYTES = 1 << 20;
  private static final int SLOT_BYTES = 8192;
  private static final int BLOCK_BYTES = 4096;

  private FaultDisk disk = new FaultDisk(new SplittableRandom(1));

  @Test
  void whatWasWrittenLastIsRead() {
    TwinFile file = open();
    assertThat(file.read()).isEmpty();
    for (int i = 0; i < 5; i++) {
      file.write(content("content " + i));
      assertThat(textIn(open())).isEqualTo("content " + i);
      assertThat(textIn(file)).isEqualTo("content " + i);
    }
  }

  @Test
  void aContentThatFitsGoesToBlocksThatAreThere() {
    TwinFile file = open();
    file.write(content("small"));
    assertThat(disk.sizeOf(NAME)).isEqualTo(2 * SLOT_BYTES);
    file.write(content("x".repeat(SLOT_BYTES / 2)));
    assertThat(disk.sizeOf(NAME)).isEqualTo(2 * SLOT_BYTES);
  }

  @Test
  void aContentThatDoesNotFitMakesTheSlotsLarger() {
    TwinFile file = open();
    file.write(content("small"));
    String large = "x".repeat(SLOT_BYTES);
    file.write(content(large));
    assertThat(textIn(open())).isEqualTo(large);
    assertThat(disk.sizeOf(NAME) / 2 % BLOCK_BYTES).isZero();
    file.write(content("small again"));
    assertThat(textIn(open())).isEqualTo("small again");
  }

  @Test
  void aContentBeyondTheLimitIsRefused() {
    assertThatThrownBy(() -> open().write(ByteBuffer.allocate(MAX_BYTES + 1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'state'")
        .hasMessageContaining("1048576 are the limit");
  }

  @Test
  void aFileOfAnotherFormatIsRefused() {
    open().write(content("of version 1"));
    assertThatThrownBy(() -> new TwinFile(disk, NAME, MAGIC, 2, MAX_BYTES).read())
        .isInstanceOf(TwinFile.DamagedException.class)
        .hasMessageContaining("format 2");
    assertThatThrownBy(() -> new TwinFile(disk, NAME, 7, 1, MAX_BYTES).read())
        .isInstanceOf(TwinFile.DamagedException.class);
  }

  /**
   * Each life writes until some call fails together with the power. The file grows now and then.
   */
  @Test
  void aCrashAtAnyCallLeavesWhatWasWrittenLastOrWhatWasBeingWritten() {
    for (int seed = 0; seed < 3_000; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      disk = new FaultDisk(random.split());
      String written = "";
      String attempted = "";
      for (int life = 0; life < 5; life++) {
        disk.failAfter(random.nextInt(30));
        try {
          TwinFile file = open();
          written = textIn(file);
          for (int i = 0; i < 30; i++) {
            attempted = life + "." + i + "y".repeat(random.nextInt(3) * random.nextInt(6_000));
            file.write(content(attempted));
            written = attempted;
          }
        } catch (DiskException failed) {
          assertThat(disk.hasFailed()).isTrue();
        }
        disk.crash();
        assertThat(textIn(open())).as("seed %d", seed).isIn(written, attempted);
        written = textIn(open());
        attempted = written;
      }
    }
  }

  @Test
  void aCallThatFailsOnceDoesNotHarmWhatIsWrittenNext() {
    for (int seed = 0; seed < 2_000; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      disk = new FaultDisk(random.split());
      TwinFile file = open();
      file.write(content("first"));
      disk.failOnceAfter(random.nextInt(8));
      String last = "";
      for (int i = 0; i < 1 + seed % 6; i++) {
        String text = i + "z".repeat(random.nextInt(2) * SLOT_BYTES);
        try {
          file.write(content(text));
        } catch (DiskException failed) {
          file.write(content(text));
        }
        last = text;
      }
      disk.crash();
      assertThat(textIn(open())).as("seed %d", seed).isEqualTo(last);
    }
  }

  /** A killed process leaves its writes in the cache; then the power fails, too. */
  @Test
  void whatHasBeenReadOutlivesTheNextCrash() {
    for (int seed = 0; seed < 2_000; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      disk = new FaultDisk(random.split());
      TwinFile file = open();
      file.write(content("first"));
      file.write(content("second"));
      disk.failAfter(random.nextInt(5));
      try {
        file.write(content("third"));
      } catch (DiskException killed) {
        // between any two of its calls
      }
      disk.failAfter(Integer.MAX_VALUE);
      String read = textIn(open());
      disk.failAfter(random.nextInt(4));
      try {
        file = open();
        assertThat(textIn(file)).isEqualTo(read);
        file.write(content(read));
      } catch (DiskException failed) {
        // and dies again
      }
      disk.crash();
      assertThat(textIn(open())).as("seed %d", seed).isEqualTo(read);
    }
  }

  @Test
  void whatRotsInOnePlaceIsThereInTheOther() {
    TwinFile file = open();
    file.write(content("old"));
    file.write(content("older"));
    for (int bit = 0; bit < 8 * disk.sizeOf(NAME); bit += 5) {
      file.write(content("content " + bit));
      disk.flipBit(NAME, bit);
      assertThat(textIn(open())).isEqualTo("content " + bit);
      assertThat(textIn(file)).isEqualTo("content " + bit);
    }
  }

  @Test
  void whatRotsInBothPlacesIsRefused() {
    open().write(content("content"));
    for (int bit = 0; bit < 8 * (32 + "content".length()); bit++) {
      disk.flipBit(NAME, bit);
      disk.flipBit(NAME, 8 * SLOT_BYTES + bit);
      assertThatThrownBy(() -> open().read()).isInstanceOf(TwinFile.DamagedException.class);
      disk.flipBit(NAME, bit);
      disk.flipBit(NAME, 8 * SLOT_BYTES + bit);
    }
  }

  @Test
  void aFileThatWasCutIsRefused() {
    open().write(content("content"));
    for (int size = disk.sizeOf(NAME) - 1; size >= 0; size -= 13) {
      disk.cut(NAME, size);
      assertThatThrownBy(() -> open().read()).isInstanceOf(TwinFile.DamagedException.class);
    }
  }

  private TwinFile open() {
    return new TwinFile(disk, NAME, MAGIC, 1, MAX_BYTES);
  }

  private static ByteBuffer content(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Returns the file's text, or an empty text if there is no file. */
  private static String textIn(TwinFile file) {
    return file.read().map(StandardCharsets.UTF_8::decode).map(Object::toString).orElse("");
  }
}
