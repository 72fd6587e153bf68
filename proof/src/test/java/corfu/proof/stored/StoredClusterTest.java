package corfu.proof.stored;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.node.EmbeddedCluster;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A cluster opens directories that an earlier version has written. {@code -Dstored.write=DIRECTORY}
 * writes the directories of this version; each release adds them to the others.
 */
class StoredClusterTest {

  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"first-stopped", "first-killed"})
  void whatAnEarlierVersionHasStoredIsReadAndGoesOn(String name) throws IOException {
    unzip(name);
    for (int round = 1; round <= 3; round++) {
      try (EmbeddedCluster cluster = Contents.open(directory)) {
        Contents.check(cluster.connect());
        Contents.goOn(cluster.connect(), round);
        Contents.check(cluster.connect());
      }
    }
  }

  private void unzip(String name) throws IOException {
    try (InputStream file =
            StoredClusterTest.class.getResourceAsStream("/stored/" + name + ".zip");
        ZipInputStream zip = new ZipInputStream(file)) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        Path to = directory.resolve(entry.getName()).normalize();
        assertThat(to.startsWith(directory)).isTrue();
        Files.createDirectories(to.getParent());
        Files.write(to, zip.readAllBytes());
      }
    }
  }

  @Test
  @EnabledIfSystemProperty(named = "stored.write", matches = ".+")
  void writesWhatThisVersionLeaves() throws IOException {
    Path to = Path.of(System.getProperty("stored.write"));
    Files.createDirectories(to);
    try (EmbeddedCluster cluster = Contents.open(directory)) {
      Contents.write(cluster);
      zip(to.resolve("first-killed.zip")); // the state while everything is running
    }
    zip(to.resolve("first-stopped.zip"));
    assertThat(to.resolve("first-stopped.zip")).exists();
  }

  private void zip(Path file) throws IOException {
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file));
        Stream<Path> files = Files.walk(directory)) {
      files.filter(Files::isRegularFile).sorted().forEach(each -> add(each, zip));
    }
  }

  private void add(Path file, ZipOutputStream zip) {
    if (file.getFileName().toString().equals("lock")) {
      return;
    }
    try {
      zip.putNextEntry(new ZipEntry(directory.relativize(file).toString()));
      zip.write(Files.readAllBytes(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
