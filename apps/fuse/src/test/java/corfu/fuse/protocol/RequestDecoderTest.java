package corfu.fuse.protocol;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The vectors follow the structures of Linux's {@code fuse.h}, field by field. */
class RequestDecoderTest {

  private record Vector(
      Opcode opcode,
      UnaryOperator<RequestBytes> fields,
      Function<RequestHeader, Request> expected) {

    RequestBytes bytes() {
      return fields.apply(RequestBytes.of(opcode));
    }

    @Override
    public String toString() {
      return opcode.name();
    }
  }

  private static Vector expect(
      Opcode opcode,
      UnaryOperator<RequestBytes> fields,
      Function<RequestHeader, Request> expected) {
    return new Vector(opcode, fields, expected);
  }

  private static FileName name(String name) {
    return FileName.of(name);
  }

  static Stream<Vector> vectors() {
    return Stream.of(
        expect(Opcode.LOOKUP, r -> r.name("a"), h -> new Request.Lookup(h, name("a"))),
        expect(Opcode.FORGET, r -> r.u64(3), h -> new Request.Forget(h, 3)),
        expect(Opcode.GETATTR, r -> r.u32(1, 0).u64(9), h -> new Request.GetAttributes(h, 1, 9)),
        expect(
            Opcode.SETATTR,
            r -> r.u32(0x1FF, 0).u64(9, 4096, 8, 11, 12, 13).u32(21, 22, 23, 0644, 0, 3, 4, 0),
            h ->
                new Request.SetAttributes(
                    h,
                    0x1FF,
                    9,
                    4096,
                    8,
                    new Timestamp(11, 21),
                    new Timestamp(12, 22),
                    new Timestamp(13, 23),
                    0644,
                    3,
                    4)),
        expect(Opcode.READLINK, r -> r, h -> new Request.ReadLink(h)),
        expect(
            Opcode.SYMLINK,
            r -> r.name("link").name("target/file"),
            h -> new Request.MakeSymbolicLink(h, name("link"), name("target/file"))),
        expect(
            Opcode.MKNOD,
            r -> r.u32(0x1180, 0x501, 022, 0).name("fifo"),
            h -> new Request.MakeNode(h, name("fifo"), 0x1180, 0x501, 022)),
        expect(
            Opcode.MKDIR,
            r -> r.u32(0755, 022).name("d"),
            h -> new Request.MakeDirectory(h, name("d"), 0755, 022)),
        expect(Opcode.UNLINK, r -> r.name("a"), h -> new Request.Unlink(h, name("a"))),
        expect(Opcode.RMDIR, r -> r.name("a"), h -> new Request.RemoveDirectory(h, name("a"))),
        expect(
            Opcode.RENAME,
            r -> r.u64(6).name("a").name("b"),
            h -> new Request.Rename(h, name("a"), 6, name("b"), 0)),
        expect(
            Opcode.RENAME2,
            r -> r.u64(6).u32(2, 0).name("a").name("b"),
            h -> new Request.Rename(h, name("a"), 6, name("b"), Request.Rename.EXCHANGE)),
        expect(Opcode.LINK, r -> r.u64(8).name("b"), h -> new Request.Link(h, 8, name("b"))),
        expect(Opcode.OPEN, r -> r.u32(2, 0), h -> new Request.Open(h, 2)),
        expect(
            Opcode.READ,
            r -> r.u64(9, 8192).u32(4096, 0).u64(1).u32(2, 0),
            h -> new Request.Read(h, 9, 8192, 4096, 2)),
        expect(Opcode.STATFS, r -> r, h -> new Request.GetStatistics(h)),
        expect(
            Opcode.RELEASE,
            r -> r.u64(9).u32(2, 2).u64(1),
            h -> new Request.Release(h, 9, 2, 2, 1)),
        expect(Opcode.FSYNC, r -> r.u64(9).u32(1, 0), h -> new Request.Sync(h, 9, true)),
        expect(
            Opcode.GETXATTR,
            r -> r.u32(64, 0).name("user.a"),
            h -> new Request.GetExtendedAttribute(h, name("user.a"), 64)),
        expect(Opcode.LISTXATTR, r -> r.u32(64, 0), h -> new Request.ListExtendedAttributes(h, 64)),
        expect(
            Opcode.REMOVEXATTR,
            r -> r.name("user.a"),
            h -> new Request.RemoveExtendedAttribute(h, name("user.a"))),
        expect(Opcode.FLUSH, r -> r.u64(9).u32(0, 0).u64(1), h -> new Request.Flush(h, 9, 1)),
        expect(
            Opcode.INIT,
            r -> r.u32(7, 45, 131072, 0x40000001, 16),
            h -> new Request.Init(h, 7, 45, 131072, 0x10_4000_0001L)),
        expect(Opcode.OPENDIR, r -> r.u32(0x10000, 0), h -> new Request.OpenDirectory(h, 0x10000)),
        expect(
            Opcode.READDIR,
            r -> r.u64(9, 30).u32(4096, 0).u64(0).u32(0, 0),
            h -> new Request.ReadDirectory(h, 9, 30, 4096)),
        expect(
            Opcode.READDIRPLUS,
            r -> r.u64(9, 30).u32(4096, 0).u64(0).u32(0, 0),
            h -> new Request.ReadDirectory(h, 9, 30, 4096)),
        expect(
            Opcode.RELEASEDIR,
            r -> r.u64(9).u32(0, 0).u64(0),
            h -> new Request.ReleaseDirectory(h, 9)),
        expect(
            Opcode.FSYNCDIR, r -> r.u64(9).u32(0, 0), h -> new Request.SyncDirectory(h, 9, false)),
        expect(
            Opcode.GETLK,
            r -> r.u64(9, 1, 10, 19).u32(1, 4242, 0, 0),
            h -> new Request.GetLock(h, 9, 1, new FileLock(FileLock.Type.WRITE, 10, 19, 4242))),
        expect(
            Opcode.SETLK,
            r -> r.u64(9, 1, 10, 19).u32(0, 4242, 1, 0),
            h ->
                new Request.SetLock(
                    h, 9, 1, new FileLock(FileLock.Type.READ, 10, 19, 4242), true, false)),
        expect(
            Opcode.SETLKW,
            r -> r.u64(9, 1, 10, 19).u32(2, 4242, 0, 0),
            h ->
                new Request.SetLock(
                    h, 9, 1, new FileLock(FileLock.Type.UNLOCKED, 10, 19, 4242), false, true)),
        expect(Opcode.ACCESS, r -> r.u32(4, 0), h -> new Request.CheckAccess(h, 4)),
        expect(
            Opcode.CREATE,
            r -> r.u32(0x41, 0x81A4, 022, 0).name("new"),
            h -> new Request.Create(h, name("new"), 0x41, 0x81A4, 022)),
        expect(
            Opcode.TMPFILE,
            r -> r.u32(2, 0x8180, 022, 0),
            h -> new Request.MakeTemporaryFile(h, 2, 0x8180, 022)),
        expect(Opcode.INTERRUPT, r -> r.u64(76), h -> new Request.Interrupt(h, 76)),
        expect(Opcode.BMAP, r -> r.u64(3).u32(512, 0), h -> new Request.MapBlock(h, 3, 512)),
        expect(Opcode.DESTROY, r -> r, h -> new Request.Destroy(h)),
        expect(Opcode.POLL, r -> r.u64(9, 31).u32(1, 5), h -> new Request.Poll(h, 9, 31, 1, 5)),
        expect(
            Opcode.FALLOCATE,
            r -> r.u64(9, 4096, 8192).u32(3, 0),
            h -> new Request.Allocate(h, 9, 4096, 8192, 3)),
        expect(Opcode.LSEEK, r -> r.u64(9, 4096).u32(3, 0), h -> new Request.Seek(h, 9, 4096, 3)),
        expect(
            Opcode.COPY_FILE_RANGE,
            r -> r.u64(9, 1, 6, 10, 2, 3, 0),
            h -> new Request.CopyRange(h, 9, 1, 6, 10, 2, 3, 0)),
        expect(
            Opcode.COPY_FILE_RANGE_64,
            r -> r.u64(9, 1, 6, 10, 2, 3, 0),
            h -> new Request.CopyRange(h, 9, 1, 6, 10, 2, 3, 0)),
        expect(Opcode.SYNCFS, r -> r.u64(0), h -> new Request.SyncFileSystem(h)),
        expect(
            Opcode.STATX,
            r -> r.u32(1, 0).u64(9).u32(0, 0xFFF),
            h -> new Request.GetExtendedStatus(h, 1, 9, 0xFFF)),
        expect(
            Opcode.BATCH_FORGET,
            r -> r.u32(2, 0).u64(8, 1, 9, 2),
            h ->
                new Request.BatchForget(
                    h,
                    List.of(
                        new Request.BatchForget.Forgotten(8, 1),
                        new Request.BatchForget.Forgotten(9, 2)))));
  }

  private static RequestHeader headerOf(int length, int opcode) {
    return new RequestHeader(
        length,
        opcode,
        RequestBytes.UNIQUE,
        RequestBytes.NODE,
        RequestBytes.UID,
        RequestBytes.GID,
        RequestBytes.PID);
  }

  @ParameterizedTest
  @MethodSource("vectors")
  void aRequestHasTheFieldsOfItsBytes(Vector vector) {
    RequestBytes bytes = vector.bytes();

    assertThat(bytes.decode())
        .isEqualTo(vector.expected().apply(headerOf(bytes.length(), vector.opcode().code())));
  }

  @ParameterizedTest
  @MethodSource("vectors")
  void aTruncatedRequestNeverThrows(Vector vector) {
    RequestBytes bytes = vector.bytes();
    for (int length = RequestHeader.BYTES; length < bytes.length(); length++) {
      Request request = bytes.decode(length);
      assertThat(request.header().unique()).isEqualTo(RequestBytes.UNIQUE);
    }
    assertThat(bytes.decode(RequestHeader.BYTES - 1)).isInstanceOf(Request.Malformed.class);
  }

  @Test
  void everyOpcodeHasAVector() {
    Set<Opcode> covered = new TreeSet<>(vectors().map(Vector::opcode).toList());
    covered.addAll(
        Set.of(Opcode.WRITE, Opcode.SETXATTR, Opcode.IOCTL, Opcode.NOTIFY_REPLY)); // below

    assertThat(covered).containsExactly(Opcode.values());
  }

  @Test
  void aWriteCarriesItsData() {
    Request request =
        RequestBytes.of(Opcode.WRITE).u64(9, 100).u32(5, 1).u64(3).u32(2, 0).data("hello").decode();

    Request.Write write = (Request.Write) request;
    assertThat(write.handle()).isEqualTo(9);
    assertThat(write.offset()).isEqualTo(100);
    assertThat(write.writeFlags()).isEqualTo(Request.Write.FROM_CACHE);
    assertThat(write.lockOwner()).isEqualTo(3);
    assertThat(write.data().toArray(JAVA_BYTE)).asString().isEqualTo("hello");
  }

  @Test
  void aWriteWithLessDataThanItNamesIsMalformed() {
    RequestBytes bytes =
        RequestBytes.of(Opcode.WRITE).u64(9, 100).u32(6, 0).u64(3).u32(2, 0).data("hello");

    assertThat(bytes.decode()).isInstanceOf(Request.Malformed.class);
  }

  @Test
  void setxattrCarriesItsValueInBothLayouts() {
    RequestBytes extended =
        RequestBytes.of(Opcode.SETXATTR).u32(2, 1, 1, 0).name("user.a").data("xy");
    var set = (Request.SetExtendedAttribute) extended.decode();

    assertThat(set.name()).isEqualTo(name("user.a"));
    assertThat(set.flags()).isEqualTo(1);
    assertThat(set.clearsSetGroupId()).isTrue();
    assertThat(set.value().toArray(JAVA_BYTE)).asString().isEqualTo("xy");
  }

  @Test
  void ioctlCarriesItsInput() {
    RequestBytes bytes =
        RequestBytes.of(Opcode.IOCTL).u64(9).u32(0, 0x1234).u64(55).u32(3, 8).data("abc");
    var ioctl = (Request.Ioctl) bytes.decode();

    assertThat(ioctl.command()).isEqualTo(0x1234);
    assertThat(ioctl.argument()).isEqualTo(55);
    assertThat(ioctl.outputSize()).isEqualTo(8);
    assertThat(ioctl.input().toArray(JAVA_BYTE)).asString().isEqualTo("abc");
  }

  @Test
  void anUnknownOpcodeIsUnsupported() {
    assertThat(RequestBytes.of(4096).decode())
        .isEqualTo(new Request.Unsupported(headerOf(RequestHeader.BYTES, 4096), 4096));
  }

  @Test
  void anotherLengthThanTheHeaderNamesIsMalformed() {
    MemorySegment bytes = Arena.ofAuto().allocate(100, 8);

    assertThat(new RequestDecoder(true).decode(bytes, 100)).isInstanceOf(Request.Malformed.class);
    assertThat(new RequestDecoder(true).decode(bytes, 200)).isInstanceOf(Request.Malformed.class);
  }

  @Test
  void negativeSizesAreMalformed() {
    assertThat(RequestBytes.of(Opcode.READ).u64(9, 0).u32(-1, 0).u64(0).u32(0, 0).decode())
        .isInstanceOf(Request.Malformed.class);
    assertThat(RequestBytes.of(Opcode.BATCH_FORGET).u32(-1, 0).decode())
        .isInstanceOf(Request.Malformed.class);
    assertThat(RequestBytes.of(Opcode.BATCH_FORGET).u32(1_000_000, 0).u64(8, 1).decode())
        .isInstanceOf(Request.Malformed.class);
  }

  @Test
  void randomBodiesNeverThrow() {
    Random random = new Random(7);
    for (Opcode opcode : Opcode.values()) {
      for (int i = 0; i < 200; i++) {
        RequestBytes bytes = RequestBytes.of(opcode);
        int words = random.nextInt(30);
        for (int word = 0; word < words; word++) {
          bytes.u32(random.nextBoolean() ? random.nextInt(5) - 1 : random.nextInt());
        }
        assertThat(bytes.decode().header().opcode()).isEqualTo(opcode.code());
      }
    }
  }
}
