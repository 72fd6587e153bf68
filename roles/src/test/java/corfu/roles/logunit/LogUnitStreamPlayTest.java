package corfu.roles.logunit;

import static corfu.roles.logunit.UnitDriver.entry;
import static corfu.roles.logunit.UnitDriver.in;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.Entry;
import corfu.protocol.StreamId;
import corfu.protocol.message.LogUnitReply.StreamEntries;
import corfu.protocol.message.LogUnitRequest;
import corfu.roles.logunit.options.LogUnitOptions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A stream is read in pieces, each as large as a reply may be. */
class LogUnitStreamPlayTest {

  private static final StreamId A = StreamId.named("a");
  private static final StreamId B = StreamId.named("b");
  private static final int ENTRIES = 500;

  private final UnitDriver unit =
      new UnitDriver(
          LogUnit.inMemory(LogUnitOptions.inMemory(1 << 20), new UnitDriver.StillWorld(1)));
  private final List<Entry> written = new ArrayList<>();

  @BeforeEach
  void install() {
    unit.install(1);
  }

  /** Writes entries of the stream, with another stream's entry between any two of them. */
  private void write(int count) {
    List<Entry> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Entry entry = entry(3L * i, in(A, i));
      written.add(entry);
      all.addAll(List.of(entry, entry(3L * i + 1, in(B, i))));
    }
    unit.write(all.toArray(Entry[]::new));
  }

  private StreamEntries play(long from, long logFrom, long logBelow, int maxBytes) {
    var request = new LogUnitRequest.ReadStream(unit.epoch, A, from, logFrom, logBelow, maxBytes);
    return (StreamEntries) unit.ask(request);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1000, 8000, 50_000, 1 << 20})
  void itsPiecesFollowOneAnotherWithoutGaps(int maxBytes) {
    write(ENTRIES);
    List<Entry> played = new ArrayList<>();
    long next = 0;
    while (next != Long.MAX_VALUE) {
      StreamEntries piece = play(next, 0, Long.MAX_VALUE, maxBytes);
      played.addAll(piece.entries());
      assertThat(piece.entries()).isNotEmpty();
      assertThat(piece.entries().stream().mapToInt(Entry::lengthBytes).sum())
          .isLessThanOrEqualTo(Math.max(maxBytes, piece.entries().getFirst().lengthBytes()));
      assertThat(piece.next()).isIn((long) played.size(), Long.MAX_VALUE);
      next = piece.next();
    }
    assertThat(played).isEqualTo(written);
  }

  @Test
  void onePieceHasAllThatFits() {
    write(ENTRIES);
    assertThat(play(0, 0, Long.MAX_VALUE, 1 << 20))
        .isEqualTo(new StreamEntries(0, Long.MAX_VALUE, written));
  }

  @Test
  void itKeepsWithinItsPartOfTheLog() {
    write(ENTRIES);
    assertThat(play(10, 3 * 100, 3 * 400, 1 << 20))
        .isEqualTo(new StreamEntries(0, Long.MAX_VALUE, written.subList(100, 400)));
  }

  @Test
  void nothingIsBehindItsEnd() {
    write(ENTRIES);
    assertThat(play(ENTRIES, 0, Long.MAX_VALUE, 1 << 20))
        .isEqualTo(new StreamEntries(0, Long.MAX_VALUE, List.of()));
  }
}
