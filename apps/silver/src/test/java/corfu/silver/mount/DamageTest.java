package corfu.silver.mount;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.fuse.protocol.FileName;
import corfu.protocol.StreamId;
import corfu.runtime.stream.Streams;
import corfu.silver.DamagedEntryException;
import corfu.silver.NodeId;
import corfu.world.Eventually;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Files whose entries are damaged. All other files stay usable. */
@Timeout(180)
class DamageTest {

  @TempDir private Path directory;
  private TwoMounts mounts;
  private Path here;

  @BeforeEach
  void mount() throws IOException {
    mounts = new TwoMounts(directory, SilverMountOptions.DEFAULT);
    here = mounts.here();
    Files.createDirectory(here.resolve("a"));
    Files.writeString(here.resolve("a/sound"), "sound");
    Files.writeString(here.resolve("a/hurt"), "hurt");
  }

  @AfterEach
  void unmount() throws IOException {
    if (mounts != null) {
      mounts.close();
    }
  }

  private NodeId node(String... path) {
    NodeId node = mounts.files().root();
    for (String name : path) {
      node = TwoMounts.valueOf(mounts.files().lookUp(node, FileName.of(name))).node();
    }
    return node;
  }

  private void append(StreamId stream, String text) {
    var unused =
        Streams.over(mounts.corfu()).append(List.of(stream), ByteBuffer.wrap(text.getBytes(UTF_8)));
  }

  private static void assertFails(Path file) {
    assertThatThrownBy(() -> Files.readAllBytes(file))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("Input/output error");
  }

  @Test
  void aForeignEntryFailsTheFileAndNoOther() throws IOException {
    NodeId hurt = node("a", "hurt");
    append(hurt.stream(), "not an entry of Silver");

    for (Path mount : List.of(mounts.there(), here)) {
      // A mount that thinks that it is alone answers from memory for a moment.
      Eventually.eventually(() -> assertFails(mount.resolve("a/hurt")));
      assertThat(mount.resolve("a/sound")).hasContent("sound");
      assertThat(mount.resolve("a").toFile().list()).containsExactlyInAnyOrder("sound", "hurt");
    }
    Files.writeString(here.resolve("a/new"), "new");
    assertThat(mounts.there().resolve("a/new")).hasContent("new");
    assertThatThrownBy(() -> mounts.files().status(hurt))
        .isInstanceOf(DamagedEntryException.class)
        .hasMessageMatching(
            "stream " + hurt.stream() + " is damaged: the entry at address [0-9]+ is no change.*");
  }

  @Test
  void aForeignEntryInTheDataOfALargeFileFailsThatFile() throws IOException {
    Files.write(here.resolve("a/large"), new byte[100_000]);
    append(node("a", "large").data(), "not an entry of a byte array");
    assertFails(mounts.there().resolve("a/large"));
    assertThat(mounts.there().resolve("a/sound")).hasContent("sound");
  }

  @Test
  void aDamagedDirectoryFailsAndItsSiblingsDoNot() throws IOException {
    Files.writeString(here.resolve("sibling"), "sibling");
    append(node("a").stream(), "not an entry of Silver");
    assertFails(mounts.there().resolve("a/sound"));
    assertThat(mounts.there().resolve("sibling")).hasContent("sibling");
  }

  @Test
  void flippedBitsOnTheDisksFailTheReadsOfTheirFile() throws Exception {
    byte[] bytes = new byte[50_000];
    new Random(1).nextBytes(bytes);
    Files.write(here.resolve("a/large"), bytes);
    assertThat(flip(Arrays.copyOfRange(bytes, 20_000, 20_100))).isPositive();

    Path there = mounts.there();
    assertFails(there.resolve("a/large"));
    assertThat(there.resolve("a/sound")).hasContent("sound");
    assertThat(there.resolve("a/hurt")).hasContent("hurt");
  }

  /** Flips a bit in the middle of these bytes, wherever a server has them. */
  private int flip(byte[] bytes) throws IOException {
    int flipped = 0;
    List<Path> all;
    try (var files = Files.walk(directory.resolve("cluster"))) {
      all = files.filter(Files::isRegularFile).toList();
    }
    for (Path file : all) {
      int at = indexOf(Files.readAllBytes(file), bytes);
      if (at >= 0) {
        try (var access = new RandomAccessFile(file.toFile(), "rw")) {
          access.seek(at + bytes.length / 2);
          int value = access.read();
          access.seek(at + bytes.length / 2);
          access.write(value ^ 1);
          flipped++;
        }
      }
    }
    return flipped;
  }

  private static int indexOf(byte[] all, byte[] wanted) {
    for (int at = 0; at + wanted.length <= all.length; at++) {
      if (all[at] == wanted[0]
          && Arrays.equals(all, at, at + wanted.length, wanted, 0, wanted.length)) {
        return at;
      }
    }
    return -1;
  }
}
