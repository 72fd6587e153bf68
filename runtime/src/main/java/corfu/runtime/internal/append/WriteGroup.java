package corfu.runtime.internal.append;

import corfu.protocol.Entry;
import corfu.protocol.Epoch;
import corfu.protocol.TokenSeal;
import corfu.protocol.message.LogUnitRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The appends whose next writes go to one server in one request, with the seals of their tokens.
 * For one thread.
 */
final class WriteGroup {

  private final List<PendingAppend> appends = new ArrayList<>();
  private final List<TokenSeal> seals = new ArrayList<>(1);

  /**
   * Adds an append, unless its seal would be one too many. Tokens that came together have one seal,
   * so that a group with many seals is rare.
   *
   * @return whether the append was added
   */
  boolean add(PendingAppend append) {
    Optional<TokenSeal> seal = append.seal();
    if (seal.isPresent() && !isKnown(seal.get())) {
      if (seals.size() == LogUnitRequest.Write.MOST_SEALS) {
        return false;
      }
      seals.add(seal.get());
    }
    appends.add(append);
    return true;
  }

  /** Looks at the newest seal first, which is that of most appends. */
  private boolean isKnown(TokenSeal seal) {
    for (int i = seals.size() - 1; i >= 0; i--) {
      if (seals.get(i).equals(seal)) {
        return true;
      }
    }
    return false;
  }

  List<PendingAppend> appends() {
    return appends;
  }

  LogUnitRequest.Write write(Epoch epoch) {
    List<Entry> entries = appends.stream().map(PendingAppend::entry).toList();
    return new LogUnitRequest.Write(epoch, entries, seals);
  }
}
