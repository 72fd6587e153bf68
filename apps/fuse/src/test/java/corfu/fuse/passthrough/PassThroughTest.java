package corfu.fuse.passthrough;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.fuse.linux.Errno;
import corfu.fuse.linux.FileCalls;
import corfu.fuse.linux.OpenFlags;
import corfu.fuse.linux.SystemCalls;
import corfu.fuse.testing.PassThroughMount;
import corfu.world.Eventually;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Applications see a mounted pass-through as they see the directory below it. */
class PassThroughTest {

  private static final int NO_REPLACE = 1;
  private static final int EXCHANGE = 2;
  private static final int KEEP_SIZE_AND_PUNCH = 3;
  private static final int SEEK_DATA = 3;
  private static final int SEEK_HOLE = 4;
  private static final int MEBIBYTE = 1 << 20;

  @TempDir private Path directory;
  private PassThroughMount mounted;
  private Path mount;
  private Path source;

  @BeforeEach
  void mountIt() throws IOException {
    mounted = new PassThroughMount(directory, options -> options);
    mount = mounted.path();
    source = mounted.source();
  }

  @AfterEach
  void unmountIt() throws IOException {
    if (mounted != null) {
      mounted.close();
    }
  }

  private static byte[] bytes(Path path) {
    return path.toString().getBytes(UTF_8);
  }

  private static byte[] random(int size) {
    byte[] bytes = new byte[size];
    new Random(size).nextBytes(bytes);
    return bytes;
  }

  private static int open(Path path, int flags) {
    int fd = SystemCalls.open(bytes(path), flags | OpenFlags.CLOSE_ON_EXEC, 0600);
    assertThat(fd).as("open %s", path).isNotNegative();
    return fd;
  }

  private static void close(int fd) {
    assertThat(SystemCalls.close(fd)).isZero();
  }

  private static int rename(Path from, Path to, int flags) {
    return FileCalls.rename(
        FileCalls.CURRENT_DIRECTORY, bytes(from), FileCalls.CURRENT_DIRECTORY, bytes(to), flags);
  }

  @Test
  void writtenBytesAreInTheFileBelow() throws IOException {
    byte[] data = random(3 * MEBIBYTE + 17);
    Files.write(mount.resolve("file"), data);

    assertThat(Files.readAllBytes(source.resolve("file"))).isEqualTo(data);
    assertThat(Files.readAllBytes(mount.resolve("file"))).isEqualTo(data);
    assertThat(Files.size(mount.resolve("file"))).isEqualTo(data.length);
  }

  @Test
  void aWriteOfOneMebibyteIsOneRequest() throws IOException {
    try (FileChannel file =
        FileChannel.open(
            mount.resolve("file"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      ByteBuffer data = ByteBuffer.allocateDirect(MEBIBYTE);
      // The kernel asks for a security attribute before the first write.
      assertThat(file.write(data.duplicate(), 0)).isEqualTo(MEBIBYTE);
      long before = mounted.mount().counters().requests();
      assertThat(file.write(data, MEBIBYTE)).isEqualTo(MEBIBYTE);

      assertThat(mounted.mount().counters().requests() - before).isEqualTo(1);
    }
  }

  @Test
  void aRequestCostsTwoSystemCalls() throws IOException {
    Files.writeString(mount.resolve("file"), "x");
    for (int i = 0; i < 100; i++) {
      Files.readString(mount.resolve("file"));
    }

    var counters = mounted.mount().counters();
    assertThat(counters.requests()).isGreaterThan(200);
    assertThat(counters.systemCalls()).isLessThanOrEqualTo(2 * counters.requests());
  }

  @Test
  void appendsGoToTheEnd() throws IOException {
    Path file = mount.resolve("file");
    Files.writeString(file, "one ");
    Files.writeString(file, "two ", StandardOpenOption.APPEND);
    Files.writeString(source.resolve("file"), "three ", StandardOpenOption.APPEND);
    int fd = open(file, OpenFlags.WRITE_ONLY | OpenFlags.APPEND);
    try (Arena arena = Arena.ofConfined()) {
      assertThat(SystemCalls.write(fd, arena.allocateFrom("four"), 4)).isEqualTo(4);
    }
    close(fd);

    assertThat(Files.readString(source.resolve("file"))).isEqualTo("one two three four");
  }

  @Test
  void anExclusiveCreateFailsIfTheFileExists() throws IOException {
    Files.createFile(mount.resolve("file"));

    assertThatThrownBy(() -> Files.createFile(mount.resolve("file")))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThatThrownBy(() -> Files.readString(mount.resolve("absent")))
        .isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void aRenameReplacesAnotherFile() throws IOException {
    Files.writeString(mount.resolve("a"), "a");
    Files.writeString(mount.resolve("b"), "b");

    assertThat(rename(mount.resolve("a"), mount.resolve("b"), NO_REPLACE))
        .isEqualTo(-Errno.EEXIST.code());
    assertThat(rename(mount.resolve("a"), mount.resolve("b"), 0)).isZero();
    assertThat(Files.readString(mount.resolve("b"))).isEqualTo("a");
    assertThat(mount.resolve("a")).doesNotExist();
  }

  @Test
  void aRenameExchangesAFileAndADirectory() throws IOException {
    Files.writeString(mount.resolve("file"), "x");
    Files.createDirectories(mount.resolve("directory/below"));

    assertThat(rename(mount.resolve("file"), mount.resolve("directory"), EXCHANGE)).isZero();
    assertThat(mount.resolve("file/below")).isDirectory();
    assertThat(Files.readString(mount.resolve("directory"))).isEqualTo("x");
  }

  @Test
  void hardAndSymbolicLinksLeadToTheFile() throws IOException {
    Files.writeString(mount.resolve("file"), "x");
    Files.createLink(mount.resolve("hard"), mount.resolve("file"));
    Files.createSymbolicLink(mount.resolve("symbolic"), Path.of("hard"));
    Files.delete(mount.resolve("file"));

    assertThat(Files.readString(mount.resolve("symbolic"))).isEqualTo("x");
    assertThat(Files.readSymbolicLink(mount.resolve("symbolic"))).isEqualTo(Path.of("hard"));
    assertThat(Files.getAttribute(mount.resolve("hard"), "unix:nlink")).isEqualTo(1);
  }

  @Test
  void directoriesAreRemovedOnlyIfEmpty() throws IOException {
    Files.createDirectories(mount.resolve("a/b"));

    assertThatThrownBy(() -> Files.delete(mount.resolve("a")))
        .isInstanceOf(DirectoryNotEmptyException.class);
    Files.delete(mount.resolve("a/b"));
    Files.delete(mount.resolve("a"));
    assertThat(source.resolve("a")).doesNotExist();
  }

  @Test
  void modesOwnersAndTimesChange() throws IOException {
    Path file = Files.createFile(mount.resolve("file"));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-x---"));
    Files.setAttribute(file, "unix:uid", 1234);
    Files.setAttribute(file, "unix:gid", 4321);
    FileTime time = FileTime.fromMillis(1_000_000_123);
    Files.setLastModifiedTime(file, time);

    Path below = source.resolve("file");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(below)))
        .isEqualTo("rwxr-x---");
    assertThat(Files.getAttribute(file, "unix:uid")).isEqualTo(1234);
    assertThat(Files.getAttribute(below, "unix:gid")).isEqualTo(4321);
    assertThat(Files.getLastModifiedTime(file)).isEqualTo(time);
  }

  @Test
  void fifosAndDeviceNodesAreCreated() throws IOException {
    int made =
        FileCalls.makeNode(
            FileCalls.CURRENT_DIRECTORY, bytes(mount.resolve("fifo")), 0x1000 | 0600, 0);

    assertThat(made).isZero();
    assertThat(Files.readAttributes(source.resolve("fifo"), "unix:mode").get("mode"))
        .isEqualTo(0x1000 | 0600);
  }

  @Test
  void extendedAttributesAreKept() throws IOException {
    Path file = Files.createFile(mount.resolve("file"));
    var view = Files.getFileAttributeView(file, UserDefinedFileAttributeView.class);
    view.write("colour", ByteBuffer.wrap("blue".getBytes(UTF_8)));
    view.write("large", ByteBuffer.allocate(2000));

    assertThat(view.list()).containsExactlyInAnyOrder("colour", "large");
    assertThat(view.size("large")).isEqualTo(2000);
    ByteBuffer value = ByteBuffer.allocate(4);
    view.read("colour", value);
    assertThat(value.array()).isEqualTo("blue".getBytes(UTF_8));
    view.delete("colour");
    assertThat(view.list()).containsExactly("large");
  }

  @Test
  void filesAreTruncatedAllocatedAndPunched() throws IOException {
    Path file = mount.resolve("file");
    Files.write(file, random(MEBIBYTE));
    int fd = open(file, OpenFlags.READ_WRITE);

    assertThat(FileCalls.allocate(fd, KEEP_SIZE_AND_PUNCH, 65_536, 131_072)).isZero();
    assertThat(FileCalls.seek(fd, 0, SEEK_HOLE)).isEqualTo(65_536);
    assertThat(FileCalls.seek(fd, 65_536, SEEK_DATA)).isEqualTo(196_608);
    assertThat(FileCalls.seek(fd, 2 * MEBIBYTE, SEEK_DATA)).isEqualTo(-Errno.ENXIO.code());
    assertThat(FileCalls.allocate(fd, 0, 0, 2 * MEBIBYTE)).isZero();
    assertThat(Files.size(file)).isEqualTo(2 * MEBIBYTE);
    assertThat(FileCalls.truncateOpen(fd, 100)).isZero();
    close(fd);

    assertThat(Files.size(source.resolve("file"))).isEqualTo(100);
    assertThat(FileCalls.truncate(bytes(file), 10)).isZero();
    assertThat(Files.size(source.resolve("file"))).isEqualTo(10);
  }

  @Test
  void rangesAreCopiedBelow() throws IOException {
    byte[] data = random(MEBIBYTE);
    Files.write(mount.resolve("from"), data);
    int from = open(mount.resolve("from"), OpenFlags.READ_ONLY);
    int to = open(mount.resolve("to"), OpenFlags.WRITE_ONLY | OpenFlags.CREATE);
    long before = mounted.mount().counters().bytesRead();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment start = arena.allocateFrom(ValueLayout.JAVA_LONG, 0L);
      MemorySegment target = arena.allocateFrom(ValueLayout.JAVA_LONG, 0L);
      assertThat(FileCalls.copyRange(from, start, to, target, MEBIBYTE, 0)).isEqualTo(MEBIBYTE);
    }
    close(from);
    close(to);

    assertThat(mounted.mount().counters().bytesRead() - before).isLessThan(10_000);
    assertThat(Files.readAllBytes(mount.resolve("to"))).isEqualTo(data);
  }

  @Test
  void tenThousandEntriesAreListedOnce() throws IOException {
    Path many = Files.createDirectory(source.resolve("many"));
    List<String> names = IntStream.range(0, 10_000).mapToObj(i -> "file-" + i).toList();
    for (String name : names) {
      Files.createFile(many.resolve(name));
    }

    try (Stream<Path> listed = Files.list(mount.resolve("many"))) {
      assertThat(listed.map(path -> path.getFileName().toString()))
          .containsExactlyInAnyOrderElementsOf(names);
    }
  }

  @Test
  void aListingGoesOnAtAnOffsetAfterDeletions() throws IOException {
    for (int i = 0; i < 2_000; i++) {
      Files.createFile(source.resolve("file-" + i));
    }
    try (var listed = Files.newDirectoryStream(mount)) {
      var entries = listed.iterator();
      Path deleted = entries.next();
      Files.delete(deleted);
      int others = 1;
      while (entries.hasNext()) {
        assertThat(entries.next()).isNotEqualTo(deleted);
        others++;
      }
      assertThat(others).isEqualTo(2_000);
    }
  }

  @Test
  void aMappedFileIsWrittenBack() throws IOException {
    Path file = mount.resolve("file");
    Files.write(file, new byte[8192]);
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      var map = channel.map(MapMode.READ_WRITE, 0, 8192);
      map.put(5000, (byte) 42);
      map.force();
    }

    assertThat(Files.readAllBytes(source.resolve("file"))[5000]).isEqualTo((byte) 42);
  }

  @Test
  void anUnlinkedFileStaysUsableWhereItIsOpen() throws IOException {
    Path file = mount.resolve("file");
    try (FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      Files.delete(file);
      channel.write(ByteBuffer.wrap(new byte[] {1, 2, 3}), 0);

      assertThat(channel.size()).isEqualTo(3);
      ByteBuffer read = ByteBuffer.allocate(3);
      channel.read(read, 0);
      assertThat(read.array()).containsExactly(1, 2, 3);
      assertThat(file).doesNotExist();
    }
  }

  @Test
  void namesOf255BytesAndNamesThatAreNoTextWork() {
    byte[] prefix = bytes(mount.resolve("x"));
    byte[] name = Arrays.copyOf(prefix, prefix.length + 2);
    name[prefix.length] = (byte) 0xFF;
    name[prefix.length + 1] = (byte) 0x80;
    int fd = SystemCalls.open(name, OpenFlags.WRITE_ONLY | OpenFlags.CREATE, 0600);
    assertThat(fd).isNotNegative();
    close(fd);

    close(open(mount.resolve("n".repeat(255)), OpenFlags.WRITE_ONLY | OpenFlags.CREATE));
    int tooLong =
        SystemCalls.open(
            bytes(mount.resolve("n".repeat(256))), OpenFlags.WRITE_ONLY | OpenFlags.CREATE, 0600);
    assertThat(tooLong).isEqualTo(-Errno.ENAMETOOLONG.code());
  }

  @Test
  void forgottenFilesAreClosed() throws IOException {
    for (int i = 0; i < 100; i++) {
      Files.createFile(mount.resolve("file-" + i));
      Files.delete(mount.resolve("file-" + i));
    }

    Eventually.eventually(() -> assertThat(mounted.fileSystem().knownFiles()).isLessThan(10));
  }

  @Test
  void theFileSystemReportsItsSpace() throws IOException {
    assertThat(Files.getFileStore(mount).getTotalSpace())
        .isEqualTo(Files.getFileStore(source).getTotalSpace());
    assertThat(Files.getFileStore(mount).type()).isEqualTo("fuse.corfu");
    assertThat(Files.getFileStore(mount).name()).isEqualTo("pass-through");
  }

  @Test
  void fsyncSucceeds() throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            mount.resolve("file"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(new byte[10]));
      channel.force(true);
      channel.force(false);
    }
    int fd = open(mount, OpenFlags.READ_ONLY | OpenFlags.DIRECTORY);
    assertThat(FileCalls.sync(fd)).isZero();
    close(fd);
  }
}
