package corfu.fuse.protocol;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.fuse.linux.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The vectors follow the structures of Linux's {@code fuse.h}, field by field. */
class ReplyEncoderTest {

  private static final Attributes ATTRIBUTES =
      new Attributes(
          1,
          2,
          3,
          new Timestamp(4, 7),
          new Timestamp(5, 8),
          new Timestamp(6, 9),
          10,
          11,
          12,
          13,
          0x501,
          15);

  private static final Entry ENTRY = new Entry(21, 22, 1_500_000_000L, 2_000_000_003L, ATTRIBUTES);

  private final MemorySegment buffer = Arena.ofAuto().allocate(1024, 8);
  private final ReplyEncoder encoder = new ReplyEncoder(buffer);

  @BeforeEach
  void anOldReplyIsInTheBuffer() {
    buffer.fill((byte) 0xAA);
  }

  private List<Long> longs(long offset, int count) {
    List<Long> found = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      found.add(buffer.get(JAVA_LONG_UNALIGNED, 16 + offset + 8L * i));
    }
    return found;
  }

  private List<Integer> ints(long offset, int count) {
    List<Integer> found = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      found.add(buffer.get(JAVA_INT_UNALIGNED, 16 + offset + 4L * i));
    }
    return found;
  }

  private void assertAttributesAt(int offset) {
    assertThat(longs(offset, 6)).containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
    assertThat(ints(offset + 48, 10)).containsExactly(7, 8, 9, 10, 11, 12, 13, 0x501, 15, 0);
  }

  @Test
  void theHeaderHasLengthErrorAndId() {
    assertThat(encoder.finish(77, 8)).isEqualTo(24);
    assertThat(buffer.get(JAVA_INT_UNALIGNED, 0)).isEqualTo(24);
    assertThat(buffer.get(JAVA_INT_UNALIGNED, 4)).isZero();
    assertThat(buffer.get(JAVA_LONG_UNALIGNED, 8)).isEqualTo(77);

    assertThat(encoder.fail(78, Errno.ENOENT)).isEqualTo(16);
    assertThat(buffer.get(JAVA_INT_UNALIGNED, 0)).isEqualTo(16);
    assertThat(buffer.get(JAVA_INT_UNALIGNED, 4)).isEqualTo(-2);
  }

  @Test
  void anEntryHas128Bytes() {
    assertThat(encoder.entry(ENTRY)).isEqualTo(128);
    assertThat(longs(0, 4)).containsExactly(21L, 22L, 1L, 2L);
    assertThat(ints(32, 2)).containsExactly(500_000_000, 3);
    assertAttributesAt(40);
  }

  @Test
  void attributesHave104Bytes() {
    assertThat(encoder.attributes(new TimedAttributes(ATTRIBUTES, 3_000_000_004L))).isEqualTo(104);
    assertThat(longs(0, 1)).containsExactly(3L);
    assertThat(ints(8, 2)).containsExactly(4, 0);
    assertAttributesAt(16);
  }

  @Test
  void aCreatedFileIsAnEntryAndAnOpenFile() {
    OpenFile file = new OpenFile(99, OpenFile.KEEP_CACHE);

    assertThat(encoder.created(new Created(ENTRY, file))).isEqualTo(144);
    assertAttributesAt(40);
    assertThat(longs(128, 1)).containsExactly(99L);
    assertThat(ints(136, 2)).containsExactly(2, 0);
    assertThat(encoder.open(file)).isEqualTo(16);
    assertThat(longs(0, 1)).containsExactly(99L);
  }

  @Test
  void aLockHas24Bytes() {
    assertThat(encoder.lock(new FileLock(FileLock.Type.WRITE, 1, 9, 42))).isEqualTo(24);
    assertThat(longs(0, 2)).containsExactly(1L, 9L);
    assertThat(ints(16, 2)).containsExactly(1, 42);
  }

  @Test
  void statisticsHave80Bytes() {
    FileSystemStatistics statistics = new FileSystemStatistics(1, 2, 3, 4, 5, 6, 7, 8);

    assertThat(encoder.statistics(statistics)).isEqualTo(80);
    assertThat(longs(0, 5)).containsExactly(1L, 2L, 3L, 4L, 5L);
    assertThat(ints(40, 10)).containsExactly(6, 7, 8, 0, 0, 0, 0, 0, 0, 0);
  }

  @Test
  void statxHas288Bytes() {
    ExtendedStatus status = new ExtendedStatus(ATTRIBUTES, new Timestamp(31, 32), 0xFFF, 1);

    assertThat(encoder.extendedStatus(status)).isEqualTo(288);
    assertThat(ints(32, 2)).containsExactly(0xFFF, 15);
    assertThat(ints(48, 3)).containsExactly(11, 12, 13);
    assertThat(longs(64, 3)).containsExactly(1L, 2L, 3L);
    assertThat(longs(96, 1)).containsExactly(4L);
    assertThat(longs(112, 1)).containsExactly(31L);
    assertThat(longs(128, 1)).containsExactly(6L);
    assertThat(longs(144, 1)).containsExactly(5L);
    assertThat(ints(160, 2)).containsExactly(5, 1); // major and minor of the device
  }

  @Test
  void initHas64Bytes() {
    InitReply reply =
        new InitReply(
            45,
            131_072,
            EnumSet.of(InitFlag.ASYNC_READ, InitFlag.DIRECT_IO_ALLOW_MMAP),
            64,
            48,
            1 << 20,
            1,
            256);

    assertThat(encoder.init(reply)).isEqualTo(64);
    assertThat(ints(0, 4)).containsExactly(7, 45, 131_072, 1);
    assertThat(buffer.get(JAVA_SHORT_UNALIGNED, 32)).isEqualTo((short) 64);
    assertThat(buffer.get(JAVA_SHORT_UNALIGNED, 34)).isEqualTo((short) 48);
    assertThat(ints(20, 2)).containsExactly(1 << 20, 1);
    assertThat(buffer.get(JAVA_SHORT_UNALIGNED, 44)).isEqualTo((short) 256);
    assertThat(ints(32, 1)).containsExactly(1 << 4);
  }

  @Test
  void anIoctlHasItsResultAndItsOutput() {
    assertThat(encoder.ioctl(new IoctlResult(3, new byte[] {1, 2}))).isEqualTo(18);
    assertThat(ints(0, 4)).containsExactly(3, 0, 0, 0);
    assertThat(buffer.get(JAVA_BYTE, 33)).isEqualTo((byte) 2);
  }

  @Test
  void directoryEntriesArePaddedTo8BytesAndEndWhereTheRoomEnds() {
    DirectoryEntries entries = new DirectoryEntries(encoder.body().asSlice(0, 64), false);

    assertThat(entries.add(FileName.of("abc"), 7, 0x81A4, 1)).isTrue();
    assertThat(entries.length()).isEqualTo(32);
    assertThat(entries.add(FileName.of("longer-than-8"), 8, 0x41ED, 2)).isFalse();
    assertThat(entries.add(FileName.of("12345678"), 8, 0x41ED, 2)).isTrue();
    assertThat(entries.length()).isEqualTo(64);
    assertThat(longs(0, 2)).containsExactly(7L, 1L);
    assertThat(ints(16, 2)).containsExactly(3, 8);
    assertThat(buffer.asSlice(16 + 24, 8).toArray(JAVA_BYTE))
        .containsExactly('a', 'b', 'c', 0, 0, 0, 0, 0);
    assertThat(ints(48, 2)).containsExactly(8, 4);
  }

  @Test
  void directoryEntriesWithAttributesHaveAnEntryInFront() {
    DirectoryEntries entries = new DirectoryEntries(encoder.body(), true);

    assertThat(entries.add(FileName.of("a"), ENTRY, 5)).isTrue();
    assertThat(entries.length()).isEqualTo(160);
    assertAttributesAt(40);
    assertThat(longs(128, 2)).containsExactly(1L, 5L);
    assertThat(entries.add(FileName.of(".."), 9, 0x41ED, 6)).isTrue();
    assertThat(longs(160, 1)).containsExactly(0L); // no node: the kernel counts no lookup
  }

  @Test
  void notificationsHaveTheirCodeInPlaceOfAnError() {
    var entry = new Notification.InvalidateEntry(5, FileName.of("abc"), true);
    entry.encode(buffer);

    assertThat(entry.messageBytes()).isEqualTo(36);
    assertThat(buffer.get(JAVA_INT_UNALIGNED, 0)).isEqualTo(36);
    assertThat(buffer.get(JAVA_INT_UNALIGNED, 4)).isEqualTo(3);
    assertThat(buffer.get(JAVA_LONG_UNALIGNED, 8)).isZero();
    assertThat(longs(0, 1)).containsExactly(5L);
    assertThat(ints(8, 2)).containsExactly(3, 1);
    assertThat(buffer.get(JAVA_BYTE, 35)).isZero();

    new Notification.InvalidateInode(5, -1, 0).encode(buffer);
    assertThat(buffer.get(JAVA_INT_UNALIGNED, 4)).isEqualTo(2);
    assertThat(longs(0, 3)).containsExactly(5L, -1L, 0L);

    new Notification.Delete(5, 6, FileName.of("abc")).encode(buffer);
    assertThat(buffer.get(JAVA_INT_UNALIGNED, 4)).isEqualTo(6);
    assertThat(longs(0, 2)).containsExactly(5L, 6L);

    var store = new Notification.Store(5, 4096, Arena.ofAuto().allocateFrom("hello"));
    store.encode(buffer);
    assertThat(store.messageBytes()).isEqualTo(46);
    assertThat(buffer.get(JAVA_INT_UNALIGNED, 4)).isEqualTo(4);
    assertThat(longs(0, 2)).containsExactly(5L, 4096L);
    assertThat(ints(16, 2)).containsExactly(6, 0);

    new Notification.PollReady(31).encode(buffer);
    assertThat(buffer.get(JAVA_INT_UNALIGNED, 4)).isEqualTo(1);
    assertThat(longs(0, 1)).containsExactly(31L);
  }
}
