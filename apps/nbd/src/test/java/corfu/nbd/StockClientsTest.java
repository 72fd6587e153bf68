package corfu.nbd;

import static corfu.nbd.testing.NbdTools.run;
import static corfu.nbd.testing.NbdTools.succeed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import corfu.nbd.testing.MemoryDevice;
import corfu.nbd.testing.MemoryExports;
import corfu.nbd.testing.NbdTools;
import corfu.world.RealWorld;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clients of other projects at a Unix socket. */
@Timeout(300)
class StockClientsTest {

  private static final long SIZE = 64 << 20;

  private final MemoryDevice disk = new MemoryDevice(SIZE);
  private final RealWorld world = new RealWorld();
  private NbdServer server;
  private String uri;
  private String pastUri;

  @TempDir private Path directory;

  @BeforeEach
  void start() {
    Path socket = directory.resolve("socket");
    server =
        NbdServer.start(
            NbdServerOptions.at(new NbdAddress.UnixSocket(socket)),
            new MemoryExports().with("disk", disk).with("past", new MemoryDevice(SIZE, true)),
            world);
    uri = "nbd+unix:///disk?socket=" + socket;
    pastUri = "nbd+unix:///past?socket=" + socket;
  }

  @AfterEach
  void stop() {
    server.close();
    world.close();
  }

  /** Writes a sparse image with some random data, at any alignment. */
  private Path image() throws IOException {
    Path image = directory.resolve("image");
    Random random = new Random(3);
    try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
      file.setLength(SIZE);
      for (int i = 0; i < 20; i++) {
        byte[] data = new byte[1 + random.nextInt(700_000)];
        random.nextBytes(data);
        file.seek(random.nextLong(SIZE - data.length));
        file.write(data);
      }
    }
    return image;
  }

  @Test
  void nbdinfoTellsWhatTheServerCan() throws Exception {
    NbdTools.require("nbdinfo");
    assertThat(succeed("nbdinfo", uri))
        .contains(
            "newstyle-fixed without TLS, using structured packets",
            "a device in memory",
            "export-size: " + SIZE,
            "base:allocation",
            "qemu:allocation-depth",
            "qemu:dirty-bitmap:v1",
            "is_read_only: false",
            "can_cache: true",
            "can_df: true",
            "can_fast_zero: true",
            "can_flush: true",
            "can_fua: true",
            "can_multi_conn: true",
            "can_trim: true",
            "can_zero: true",
            "block_size_minimum: 1",
            "block_size_preferred: 4096",
            "block_size_maximum: 33554432");
    assertThat(succeed("nbdinfo", "--list", uri)).contains("export=\"disk\"", "export=\"past\"");
    assertThat(succeed("nbdinfo", pastUri)).contains("is_read_only: true", "can_trim: false");
    assertThat(run("nbdinfo", uri.replace("disk", "none")).output())
        .contains("No such file or directory for export: none");
  }

  @Test
  void imagesTravelBothWaysAndKeepTheirHoles() throws Exception {
    NbdTools.require("nbdcopy", "qemu-img", "nbdinfo");
    String image = image().toString();
    succeed("nbdcopy", image, uri);
    assertThat(succeed("qemu-img", "compare", "-f", "raw", "-F", "raw", image, uri))
        .contains("Images are identical");
    assertThat(disk.dataPages()).isLessThan(6000);

    String copy = directory.resolve("copy").toString();
    succeed("nbdcopy", uri, copy);
    succeed("cmp", image, copy);
    succeed("qemu-img", "convert", "-f", "raw", "-O", "qcow2", uri, copy);
    succeed("qemu-img", "convert", "-n", "-f", "qcow2", "-O", "raw", copy, uri);
    assertThat(succeed("qemu-img", "compare", "-f", "raw", "-F", "raw", image, uri))
        .contains("Images are identical");
    assertThat(succeed("qemu-img", "map", "-f", "raw", "--output=json", uri))
        .contains("\"zero\": true", "\"data\": true");
  }

  @Test
  void qemuIoWritesTrimsAndZeroes() throws Exception {
    NbdTools.require("qemu-io", "nbdinfo");
    String output =
        succeed(
            "qemu-io",
            "-f",
            "raw",
            "-c",
            "write -P 7 1000 200000",
            "-c",
            "write -f -P 8 65536 512",
            "-c",
            "read -P 8 65536 512",
            "-c",
            "write -z -u 4k 32k",
            "-c",
            "read -P 0 4k 32k",
            "-c",
            "discard 40k 8k",
            "-c",
            "flush",
            "-c",
            "read -P 7 100000 101000",
            uri);
    assertThat(output).doesNotContain("failed").doesNotContain("rror");
    assertThat(succeed("nbdinfo", "--map", uri)).contains("hole,zero", "data");
    assertThat(disk.flushes()).isPositive();
    assertThat(run("qemu-io", "-f", "raw", "-c", "write 0 512", pastUri).output())
        .contains("Permission denied");
  }

  @Test
  void dirtyBitmapsTellWhatHasChanged() throws Exception {
    NbdTools.require("nbdinfo", "qemu-io");
    succeed("qemu-io", "-f", "raw", "-c", "write 0 1M", uri);
    disk.beginBitmap();
    succeed("qemu-io", "-f", "raw", "-c", "write 64k 8k", uri);
    assertThat(succeed("nbdinfo", "--map=qemu:dirty-bitmap:v1", uri).lines().map(String::strip))
        .satisfiesExactly(
            line -> assertThat(line).matches("0 +65536 +0.*"),
            line -> assertThat(line).matches("65536 +8192 +1.*"),
            line -> assertThat(line).matches("73728 +\\d+ +0.*"));
  }

  @Test
  void fioVerifiesWhatItWrote() throws Exception {
    NbdTools.require("fio");
    NbdTools.Run engine = run("fio", "--enghelp=nbd");
    assumeTrue(engine.status() == 0, "fio has no engine for NBD: " + engine.output());
    String output =
        succeed(
            "fio",
            "--name=verify",
            "--ioengine=nbd",
            "--uri=" + uri,
            "--rw=randwrite",
            "--bsrange=512-128k",
            "--bs_unaligned=1",
            "--iodepth=32",
            "--size=16m",
            "--verify=crc32c",
            "--fsync=32");
    assertThat(output).contains("err= 0");
  }

  @Test
  void libnbdFindsStrictErrors() throws Exception {
    String python = NbdTools.requirePython();
    String script =
        """
        import nbd, sys, errno
        h = nbd.NBD()
        h.set_strict_mode(0)
        h.add_meta_context("base:allocation")
        h.connect_uri(sys.argv[1])
        size = h.get_size()
        def fails(code, call):
            try:
                call()
            except nbd.Error as e:
                assert e.errnum == code, (e.errno, errno.errorcode[code], e.string)
                return
            raise AssertionError("no error")
        h.pwrite(b"x" * 33554432, 0, nbd.CMD_FLAG_FUA)
        assert h.pread(33554432, 0, nbd.CMD_FLAG_DF) == b"x" * 33554432
        fails(errno.ENOSPC, lambda: h.pwrite(b"xx", size - 1))
        fails(errno.EINVAL, lambda: h.pread(2, size - 1))
        fails(errno.EINVAL, lambda: h.trim(2, size - 1))
        fails(errno.ENOSPC, lambda: h.zero(2, size - 1))
        fails(errno.ENOTSUP, lambda: h.zero(4096, 0, nbd.CMD_FLAG_FAST_ZERO | nbd.CMD_FLAG_NO_HOLE))
        fails(errno.EINVAL, lambda: h.flush(nbd.CMD_FLAG_REQ_ONE))
        h.zero(size, 0)
        found = []
        h.block_status(size, 0, lambda c, o, e, err: found.append((c, o, e)))
        assert found == [("base:allocation", 0, [size, 3])], found
        h.shutdown()
        print("all errors are right")
        """;
    assertThat(succeed(python, "-c", script, uri)).contains("all errors are right");
  }
}
