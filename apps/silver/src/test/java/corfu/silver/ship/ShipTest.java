package corfu.silver.ship;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.fuse.Result;
import corfu.fuse.linux.FileMode;
import corfu.fuse.protocol.FileName;
import corfu.fuse.protocol.Timestamp;
import corfu.node.EmbeddedCluster;
import corfu.silver.AttributeChange;
import corfu.silver.Caller;
import corfu.silver.DirectoryListing;
import corfu.silver.NewNode;
import corfu.silver.NodeId;
import corfu.silver.NodeStatus;
import corfu.silver.Silver;
import corfu.silver.SilverFileSystem;
import corfu.silver.check.TreeCheck;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A version becomes an archive, and the archive becomes a file system of another cluster. */
class ShipTest {

  private static final long TERA = 1L << 40;
  private static final byte[] NOT_UTF_8 = {'n', (byte) 0xff, (byte) 0x80};

  private EmbeddedCluster cluster;
  private EmbeddedCluster elsewhere;
  private Silver silver;
  private Silver other;
  private SilverFileSystem files;

  @BeforeEach
  void start() {
    cluster = EmbeddedCluster.builder().start();
    elsewhere = EmbeddedCluster.builder().start();
    silver = Silver.over(cluster.connect());
    other = Silver.over(elsewhere.connect());
    files = valueOf(silver.create("files", caller()));
  }

  @AfterEach
  void stop() {
    cluster.close();
    elsewhere.close();
  }

  private Caller caller() {
    return silver.caller(1, 2);
  }

  private static <T> T valueOf(Result<T> result) {
    assertThat(result).isInstanceOf(Result.Success.class);
    return ((Result.Success<T>) result).value();
  }

  private static FileName name(String text) {
    return FileName.of(text);
  }

  private NodeId make(NodeId directory, FileName name, int mode) {
    return valueOf(files.create(directory, name, NewNode.of(mode, 3, 70_000), caller()));
  }

  private NodeId file(NodeId directory, String name, byte[] content) {
    NodeId node = make(directory, name(name), FileMode.REGULAR | 0640);
    valueOf(files.write(node, 0, ByteBuffer.wrap(content), caller()));
    return node;
  }

  private byte[] shipped() throws IOException {
    var out = new ByteArrayOutputStream();
    TreeWriter.write(files.at(silver.version()), out, names -> {});
    return out.toByteArray();
  }

  private SilverFileSystem received(byte[] archive) throws IOException {
    SilverFileSystem copy = valueOf(other.create("copy", other.caller(0, 0)));
    TreeReader.read(new ByteArrayInputStream(archive), copy, other.caller(0, 0), names -> {});
    return copy;
  }

  /** Everything that users can see of a tree, by path. */
  private static Map<String, String> seen(SilverFileSystem of) {
    Map<String, String> all = new TreeMap<>();
    see(of, of.root(), "", all);
    return all;
  }

  private static void see(SilverFileSystem of, NodeId node, String path, Map<String, String> all) {
    NodeStatus status = valueOf(of.status(node));
    var text = new StringBuilder();
    text.append(
        "%o %d:%d %d links, device %d, %s, read %s"
            .formatted(
                status.mode(),
                status.uid(),
                status.gid(),
                status.links(),
                status.device(),
                status.modification(),
                status.access()));
    valueOf(of.extendedAttributes(node))
        .forEach((name, value) -> text.append(", " + name + "=" + Arrays.toString(value)));
    switch (status.mode() & FileMode.TYPE) {
      case FileMode.REGULAR -> {
        text.append(", %d bytes".formatted(status.size()));
        int some = (int) Math.min(status.size(), 1 << 22);
        text.append(" " + valueOf(of.read(node, 0, some)).hashCode());
        text.append(" " + valueOf(of.read(node, status.size() - some, some)).hashCode());
      }
      case FileMode.SYMBOLIC_LINK ->
          text.append(" -> " + new String(valueOf(of.readLink(node)), UTF_8));
      default -> {}
    }
    all.put(path, text.toString());
    if (status.isDirectory()) {
      for (DirectoryListing.Name name : valueOf(of.list(node)).all()) {
        String bytes = Base64.getEncoder().encodeToString(name.name().bytes());
        see(of, name.node(), path + "/" + bytes, all);
      }
    }
  }

  private void grow() {
    NodeId root = files.root();
    NodeId directory = make(root, name("directory"), FileMode.DIRECTORY | 01777);
    NodeId deep = make(directory, name("d".repeat(255)), FileMode.DIRECTORY | 0700);
    file(deep, "f".repeat(255), "deep".getBytes(UTF_8));
    NodeId linked = file(root, "linked", new byte[] {1, 2, 3});
    valueOf(files.link(linked, deep, name("second name"), caller()));
    byte[] large = new byte[3_000_001];
    new Random(1).nextBytes(large);
    file(root, "large", large);
    file(root, "empty", new byte[0]);
    file(root, "ünïcode", "x".getBytes(UTF_8));
    make(root, FileName.of(NOT_UTF_8), FileMode.DIRECTORY | 0755);
    NodeId holes = file(root, "holes", "begin".getBytes(UTF_8));
    valueOf(files.write(holes, TERA, ByteBuffer.wrap("middle".getBytes(UTF_8)), caller()));
    valueOf(files.resize(holes, 2 * TERA, caller()));
    NodeId small = file(root, "small holes", "begin".getBytes(UTF_8));
    valueOf(files.write(small, 1 << 20, ByteBuffer.wrap("middle".getBytes(UTF_8)), caller()));
    valueOf(files.resize(small, 2 << 20, caller()));
    valueOf(
        files.create(
            root,
            name("link"),
            new NewNode(
                FileMode.SYMBOLIC_LINK | 0777, 1, 2, 0, "/any/where".getBytes(UTF_8), Map.of()),
            caller()));
    make(root, name("fifo"), FileMode.FIFO | 0600);
    valueOf(
        files.create(
            root,
            name("device"),
            new NewNode(FileMode.BLOCK_DEVICE | 0600, 0, 0, 0x12345678, new byte[0], Map.of()),
            caller()));
    NodeId owned = file(root, "owned", "x".getBytes(UTF_8));
    valueOf(
        files.setExtendedAttribute(
            owned, name("user.a=b%"), new byte[] {0, -1, 10}, false, false, caller()));
    var times =
        AttributeChange.NONE
            .withPermissions(FileMode.SET_USER_ID | 0755)
            .withModificationTime(new Timestamp(12, 345_678_901))
            .withAccessTime(new Timestamp(-5, 1));
    valueOf(files.setAttributes(owned, times, caller()));
    valueOf(files.setAttributes(directory, times, caller()));
  }

  @Test
  void aFileSystemElsewhereHasEverythingOfTheVersion() throws IOException {
    grow();

    SilverFileSystem copy = received(shipped());

    assertThat(seen(copy)).isEqualTo(seen(files));
    var findings = new ArrayList<>();
    TreeCheck.run(copy.at(other.version()), findings::add);
    assertThat(findings).isEmpty();
  }

  @Test
  void holesStayHoles() throws IOException {
    grow();

    byte[] archive = shipped();
    SilverFileSystem copy = received(archive);

    NodeId holes = valueOf(copy.lookUp(copy.root(), name("holes"))).node();
    assertThat(valueOf(copy.nextData(holes, 4096))).isGreaterThanOrEqualTo(TERA - 4096);
    assertThat(valueOf(copy.nextHole(holes, TERA))).isLessThanOrEqualTo(TERA + 4096);
    assertThat(archive).hasSizeLessThan(1 << 22);
  }

  @Test
  void laterChangesAreNotInTheArchiveOfAVersion() throws IOException {
    file(files.root(), "before", "x".getBytes(UTF_8));
    SilverFileSystem version = files.at(silver.version());
    file(files.root(), "behind", "x".getBytes(UTF_8));
    var out = new ByteArrayOutputStream();

    Shipped shipped = TreeWriter.write(version, out, names -> {});

    assertThat(shipped).isEqualTo(new Shipped(1, 1));
    assertThat(seen(received(out.toByteArray()))).isEqualTo(seen(version));
    assertThatThrownBy(() -> TreeWriter.write(files, out, names -> {}))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void otherProgramsReadTheArchive() throws IOException {
    file(files.root(), "file", "text".getBytes(UTF_8));

    try (var in =
        new TarArchiveInputStream(
            new GZIPInputStream(new ByteArrayInputStream(shipped())), "UTF-8")) {
      TarArchiveEntry root = in.getNextEntry();
      assertThat(root.isDirectory()).isTrue();
      TarArchiveEntry file = in.getNextEntry();
      assertThat(file.getName()).isEqualTo("file");
      assertThat(in.readAllBytes()).isEqualTo("text".getBytes(UTF_8));
    }
  }

  @Test
  void aDamagedOrCutArchiveIsRefused() throws IOException {
    file(files.root(), "file", new byte[10_000]);
    byte[] archive = shipped();
    byte[] damaged = archive.clone();
    damaged[damaged.length - 6] ^= 1; // in the checksum
    byte[] cut = Arrays.copyOf(archive, archive.length - 8);
    SilverFileSystem into = valueOf(other.create("into", other.caller(0, 0)));

    assertThatThrownBy(() -> read(damaged, into)).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> read(cut, valueOf(other.create("cut", other.caller(0, 0)))))
        .isInstanceOf(EOFException.class);
    assertThatThrownBy(() -> read("no archive".getBytes(UTF_8), into))
        .isInstanceOf(IOException.class);
  }

  private void read(byte[] archive, SilverFileSystem into) throws IOException {
    TreeReader.read(new ByteArrayInputStream(archive), into, other.caller(0, 0), names -> {});
  }

  private static byte[] archive(String... paths) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var out = new TarArchiveOutputStream(new GZIPOutputStream(bytes), "UTF-8")) {
      for (String path : paths) {
        out.putArchiveEntry(new TarArchiveEntry(path, true));
        out.closeArchiveEntry();
      }
    }
    return bytes.toByteArray();
  }

  @Test
  void pathsOfOtherProgramsBeginAtTheRoot() throws IOException {
    SilverFileSystem copy = received(archive("./", "./a/", "./a/b", "/c"));

    NodeId directory = valueOf(copy.lookUp(copy.root(), name("a"))).node();
    assertThat(valueOf(copy.lookUp(directory, name("b"))).size()).isZero();
    assertThat(valueOf(copy.list(copy.root())).size()).isEqualTo(2);
  }

  @Test
  void aPathThatLeadsUpwardsIsRefused() throws IOException {
    byte[] upwards = archive("a/", "a/../b");

    assertThatThrownBy(() -> received(upwards))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("leads upwards");
  }

  @Test
  void alteredBytesAreAnArchiveOrAnError() throws IOException {
    file(files.root(), "file", "text".getBytes(UTF_8));
    NodeId holes = file(files.root(), "holes", "begin".getBytes(UTF_8));
    valueOf(files.resize(holes, TERA, caller()));
    byte[] tar = new GZIPInputStream(new ByteArrayInputStream(shipped())).readAllBytes();
    Random random = new Random(1);
    for (int i = 0; i < 200; i++) {
      byte[] altered = tar.clone();
      altered[random.nextInt(altered.length)] = (byte) random.nextInt();
      var zipped = new ByteArrayOutputStream();
      try (var out = new GZIPOutputStream(zipped)) {
        out.write(altered);
      }
      SilverFileSystem into = valueOf(other.create("altered " + i, other.caller(0, 0)));
      try {
        read(zipped.toByteArray(), into);
      } catch (IOException damaged) {
        assertThat(damaged).hasMessageNotContaining("null");
      }
    }
  }
}
