package corfu.access.gate;

import corfu.protocol.Epoch;
import corfu.protocol.TokenKey;
import corfu.protocol.message.Failure;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Keys of sequencers, which answer on demand. */
final class HandKeys implements SequencerKeys {

  final List<Consumer<Optional<Failure>>> waiting = new ArrayList<>();
  private final Map<Long, TokenSealer> known = new LinkedHashMap<>();
  Sealing sealing = Sealing.SEALED;

  /** The sequencer tells its key. */
  void tells(TokenKey key) {
    known.put(key.id(), new TokenSealer(key));
    sealing = Sealing.SEALED;
    release(Optional.empty());
  }

  /** The question ends. */
  void release(Optional<Failure> failure) {
    List<Consumer<Optional<Failure>>> released = List.copyOf(waiting);
    waiting.clear();
    released.forEach(then -> then.accept(failure));
  }

  @Override
  public Sealing in(Epoch epoch) {
    return sealing;
  }

  @Override
  public Optional<TokenSealer> find(long keyId) {
    return Optional.ofNullable(known.get(keyId));
  }

  @Override
  public void ask(Epoch epoch, Consumer<Optional<Failure>> then) {
    waiting.add(then);
  }
}
