package corfu.cli.shell;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.objects.history.HistoryEntry;
import corfu.protocol.Address;
import corfu.protocol.StreamAddress;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every kind of entry of an object's history, as people read it. */
class HistoryTextTest {

  private static final String HEAD = "7\t1970-01-01T00:00:00Z\t00000000000000ff\t";

  private static List<String> changed(int others, HistoryEntry.Call... calls) {
    return HistoryText.of(
        new HistoryEntry.Changed(new Address(7), Instant.EPOCH, 255, List.of(calls), others));
  }

  @Test
  void aChangeIsACall() {
    var put = new HistoryEntry.Call("put(Object,Object)", List.of("\"alice\"", "5"));
    var clear = new HistoryEntry.Call("clear()", List.of());

    assertThat(changed(0, put)).containsExactly(HEAD + "put(\"alice\", 5)");
    assertThat(changed(2, put, clear))
        .containsExactly(
            HEAD + "put(\"alice\", 5)\t(with 2 other objects)",
            HEAD + "clear()\t(with 2 other objects)");
  }

  @Test
  void aRollBackIsSaidInWords() {
    var rollBack =
        new HistoryEntry.Call(
            "corfu:restore", List.of("2L", "\"ReplicatedMap\"", "(3 bytes: 08 01 0a)"));
    var foreign =
        new HistoryEntry.Call("corfu:restore", List.of("40 bytes that serializer 2 wrote"));

    assertThat(changed(0, rollBack))
        .containsExactly(HEAD + "rolled back to its state at log address 2");
    assertThat(changed(0, foreign)).containsExactly(HEAD + "rolled back to an earlier state");
  }

  @Test
  void forgottenChangesAndForeignEntriesAreExplained() {
    assertThat(HistoryText.of(new HistoryEntry.Forgotten(new StreamAddress(3))))
        .containsExactly("the changes before stream address 3 are forgotten");
    assertThat(HistoryText.of(new HistoryEntry.Unreadable(new Address(4), "it is of a checkpoint")))
        .containsExactly("4\tunreadable: it is of a checkpoint");
  }
}
