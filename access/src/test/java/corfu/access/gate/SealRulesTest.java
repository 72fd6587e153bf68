package corfu.access.gate;

import static corfu.access.gate.GatedServer.ADMIN;
import static corfu.access.gate.GatedServer.EPOCH;
import static corfu.access.gate.GatedServer.SERVER;
import static corfu.access.gate.GatedServer.entry;
import static corfu.access.gate.GatedServer.hole;
import static corfu.access.gate.GatedServer.identity;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.AddressSet;
import corfu.protocol.Entry;
import corfu.protocol.Epoch;
import corfu.protocol.Identity;
import corfu.protocol.Permission;
import corfu.protocol.StreamId;
import corfu.protocol.TokenKey;
import corfu.protocol.TokenSeal;
import corfu.protocol.message.Failure;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitReply.AddressState;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.NodeReply;
import corfu.protocol.message.NodeRequest;
import corfu.protocol.message.Reply;
import corfu.protocol.message.SequencerReply;
import corfu.protocol.message.SequencerRequest;
import corfu.protocol.stream.Condition;
import corfu.protocol.stream.StreamPart;
import corfu.protocol.stream.TokenWish;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** A tenant writes to addresses whose tokens it got, and to no others. */
class SealRulesTest {

  private static final Identity A = identity("a");
  private static final StreamId STREAM = StreamId.named("shared");

  private final GatedServer server =
      new GatedServer("a append shared", "b append shared", "a append-log", "b append-log");

  private Optional<TokenSeal> tokens(Identity who, int count) {
    Reply reply = server.as(who, new SequencerRequest.Next(EPOCH, count));
    assertThat(reply).isInstanceOf(SequencerReply.Tokens.class);
    return ((SequencerReply.Tokens) reply).seal();
  }

  private TokenSeal seal(String who, int count) {
    return tokens(identity(who), count).orElseThrow();
  }

  private static LogUnitRequest.Write write(TokenSeal seal, Entry... entries) {
    return new LogUnitRequest.Write(EPOCH, List.of(entries), List.of(seal));
  }

  private static LogUnitRequest.Write write(Entry... entries) {
    return new LogUnitRequest.Write(EPOCH, List.of(entries));
  }

  private void accepted(String who, LogUnitRequest.Write write) {
    assertThat(server.as(who, write)).isInstanceOf(LogUnitReply.Writes.class);
  }

  private void refused(String who, LogUnitRequest.Write write) {
    assertThat(server.as(who, write))
        .isInstanceOfSatisfying(
            Failure.Forbidden.class,
            forbidden -> {
              assertThat(forbidden.permission()).isEqualTo(Permission.OPERATE);
              assertThat(forbidden.reason()).contains("token", identity(who).name());
            });
  }

  private void isUnwritten(long address) {
    assertThat(server.as(SERVER, new LogUnitRequest.Inspect(EPOCH, AddressSet.of(address))))
        .isEqualTo(new LogUnitReply.States(List.of(AddressState.UNWRITTEN)));
  }

  // ------------------------------------------------------------------------------------- sealing

  @Test
  void tokensOfTenantsAreSealedAndThoseOfServersAndAdministratorsAreNot() {
    assertThat(seal("a", 3)).extracting(TokenSeal::first, TokenSeal::count).containsExactly(0L, 3);
    assertThat(seal("b", 1)).extracting(TokenSeal::first, TokenSeal::count).containsExactly(3L, 1);
    assertThat(tokens(SERVER, 1)).isEmpty();
    assertThat(tokens(ADMIN, 1)).isEmpty();
  }

  @Test
  void tokensInStreamsHaveOneSealWithoutTheConflictsBetweenThem() {
    server.allow("a read shared");
    TokenWish stale =
        new TokenWish(
            List.of(StreamPart.whole(STREAM)),
            Optional.of(new Condition(0, List.of(StreamPart.whole(STREAM)))));
    TokenWish plain = TokenWish.in(List.of(STREAM));
    Reply reply =
        server.as(
            A, new SequencerRequest.NextInStreams(EPOCH, List.of(plain, stale, plain), List.of()));
    assertThat(reply)
        .isInstanceOfSatisfying(
            SequencerReply.StreamTokens.class,
            tokens -> {
              assertThat(tokens.outcomes()).hasSize(3);
              assertThat(tokens.seal().orElseThrow())
                  .extracting(TokenSeal::first, TokenSeal::count)
                  .containsExactly(0L, 2);
            });
  }

  /** Other implementations of servers need the same codes: the golden frames have this one. */
  @Test
  void theCodeOfASealIsAlwaysTheSame() {
    TokenKey key =
        new TokenKey(1, "0123456789abcdef0123456789ABCDEF".getBytes(StandardCharsets.US_ASCII));
    TokenSeal seal =
        new TokenSealer(key)
            .seal(new Epoch(0x0a0b0c), 1_000, 2, new Identity("spiffe://prod/orders"));
    assertThat(seal)
        .isEqualTo(new TokenSeal(1, 1_000, 2, 0x9c3a9ba773f7a3dbL, 0x59099f5929fb5ae3L));
  }

  // ------------------------------------------------------------------------------------ checking

  @Test
  void aClientThatKnowsNoSealsLearnsWhyItsWriteIsRefused() {
    server.sequencers.tells(server.sealer().key());
    assertThat(server.as("a", write(entry(0, "shared"))))
        .isInstanceOfSatisfying(
            Failure.Forbidden.class,
            forbidden -> assertThat(forbidden.reason()).contains("no seal", "version 3"));
    isUnwritten(0);
  }

  @Test
  void theHolderOfATokenWritesToItsAddress() {
    TokenSeal seal = seal("a", 3);
    accepted("a", write(seal, entry(1, "shared")));
    accepted("a", write(seal, entry(0, "shared"), entry(2, "shared")));
  }

  @Test
  void entriesWithTokensOfSeveralRequestsAreWrittenTogether() {
    TokenSeal first = seal("a", 1);
    seal("b", 1);
    TokenSeal second = seal("a", 1);
    List<Entry> both = List.of(entry(2, "shared"), entry(0, "shared"));
    accepted("a", new LogUnitRequest.Write(EPOCH, both, List.of(first, second)));
  }

  @Test
  void anotherTenantDoesNotUseTheToken() {
    TokenSeal seal = seal("a", 1);
    refused("b", write(seal, entry(0, "shared")));
    refused("b", write(entry(0, "shared")));
    refused("b", write(seal("b", 1), entry(0, "shared")));
    isUnwritten(0);
    accepted("a", write(seal, entry(0, "shared")));
  }

  @Test
  void anAddressWithoutATokenIsRefusedWithAllEntriesOfItsRequest() {
    TokenSeal seal = seal("a", 2);
    refused("a", write(seal, entry(2, "shared")));
    refused("a", write(seal, entry(1, "shared"), entry(2, "shared")));
    refused("a", write(seal, entry(2, "shared"), entry(1, "shared")));
    isUnwritten(1);
    isUnwritten(2);
  }

  @Test
  void aChangedSealIsRefused() {
    TokenSeal seal = seal("a", 2);
    long code = seal.codeHigh();
    refused("a", write(new TokenSeal(seal.keyId(), 0, 3, code, seal.codeLow()), entry(2)));
    refused("a", write(new TokenSeal(seal.keyId(), 1, 2, code, seal.codeLow()), entry(2)));
    refused("a", write(new TokenSeal(seal.keyId(), 0, 2, code + 1, seal.codeLow()), entry(1)));
    refused("a", write(new TokenSeal(seal.keyId(), 0, 2, code, ~seal.codeLow()), entry(1)));
    isUnwritten(1);
    accepted("a", write(seal, entry(1)));
  }

  @Test
  void oneForgedSealAmongGenuineOnesRefusesTheRequest() {
    TokenSeal genuine = seal("a", 1);
    TokenSeal forged = new TokenSeal(genuine.keyId(), 5, 1, 1, 1);
    refused("a", new LogUnitRequest.Write(EPOCH, List.of(entry(0)), List.of(genuine, forged)));
    isUnwritten(0);
  }

  @Test
  void aSealCountsInItsEpochOnly() {
    TokenSeal old = seal("a", 2);
    accepted("a", write(old, entry(0)));
    server.as(SERVER, new LogUnitRequest.Seal(EPOCH));
    assertThat(server.as("a", write(old, entry(1)))).isInstanceOf(Failure.Sealed.class);
    server.as(SERVER, new LogUnitRequest.Install(server.layout().next()));
    assertThat(server.as("a", write(old, entry(1)))).isInstanceOf(Failure.Sealed.class);
    refused("a", new LogUnitRequest.Write(EPOCH.next(), List.of(entry(1)), List.of(old)));
  }

  /** A hole at the address of a token ends the append of its holder. */
  @Test
  void holesAreForTheHolderToo() {
    TokenSeal seal = seal("a", 1);
    refused("b", write(hole(0)));
    refused("a", write(hole(0)));
    isUnwritten(0);
    accepted("a", write(seal, hole(0)));
  }

  @Test
  void serversAdministratorsAndOperatorsNeedNoSeal() {
    server.allow("c operate", "c append shared");
    assertThat(server.as(SERVER, write(entry(0)))).isInstanceOf(LogUnitReply.Writes.class);
    assertThat(server.as(ADMIN, write(entry(1)))).isInstanceOf(LogUnitReply.Writes.class);
    accepted("c", write(entry(2, "shared")));
  }

  @Test
  void aWriteWithoutItsTokenIsInTheAuditLog() {
    refused("b", write(entry(0, "shared")));
    server.audit.flush();
    assertThat(server.events)
        .anySatisfy(
            event -> {
              assertThat(event.identity()).isEqualTo(identity("b"));
              assertThat(event.action()).isEqualTo("Write");
            });
  }

  @Test
  void provenSealsAreRememberedUpToTheirBound() {
    TokenSeal[] seals =
        LongStream.range(0, 2 * ProvenSeals.MOST)
            .mapToObj(address -> seal("a", 1))
            .toArray(TokenSeal[]::new);
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < seals.length; i++) {
        accepted("a", write(seals[i], entry(i, "shared")));
        refused("b", write(seals[i], entry(i, "shared")));
      }
    }
  }

  // ---------------------------------------------------------------------------------------- keys

  private static final TokenKey ELSEWHERE = new TokenKey(99, new byte[TokenKey.BYTES]);

  private static TokenSeal sealedElsewhere(String who, long first, int count) {
    return new TokenSealer(ELSEWHERE).seal(EPOCH, first, count, identity(who));
  }

  @Test
  void aWriteWaitsUntilTheSequencerHasToldItsKey() {
    List<Reply> genuine = server.send(A, write(sealedElsewhere("a", 4, 1), entry(4, "shared")));
    List<Reply> forged = server.send(A, write(sealedElsewhere("b", 5, 1), entry(5, "shared")));
    assertThat(genuine).isEmpty();
    assertThat(forged).isEmpty();
    isUnwritten(4);

    server.sequencers.tells(ELSEWHERE);
    server.unit.turnEnded();

    assertThat(genuine).hasSize(1).first().isInstanceOf(LogUnitReply.Writes.class);
    assertThat(forged).hasSize(1).first().isInstanceOf(Failure.Forbidden.class);
    isUnwritten(5);
  }

  @Test
  void aWriteWhoseKeyIsNotToldMayBeRetried() {
    List<Reply> replies = server.send(A, write(sealedElsewhere("a", 4, 1), entry(4, "shared")));
    server.sequencers.release(Optional.of(new Failure.NotServing("no answer")));
    assertThat(replies).containsExactly(new Failure.NotServing("no answer"));
    isUnwritten(4);
  }

  @Test
  void thePolicyCountsAgainWhenAWriteHasWaited() {
    List<Reply> replies = server.send(A, write(sealedElsewhere("a", 4, 1), entry(4, "shared")));
    server.revoke("a append shared");
    server.sequencers.tells(ELSEWHERE);
    assertThat(replies)
        .hasSize(1)
        .first()
        .isInstanceOfSatisfying(
            Failure.Forbidden.class,
            forbidden -> assertThat(forbidden.permission()).isEqualTo(Permission.APPEND));
  }

  /** Permissions are turned on at one server after the other. */
  @Test
  void tokensOfASequencerWithoutPermissionsNeedNoSeal() {
    server.sequencers.sealing = SequencerKeys.Sealing.UNKNOWN;
    List<Reply> replies = server.send(A, write(entry(4, "shared")));
    assertThat(replies).isEmpty();
    server.sequencers.sealing = SequencerKeys.Sealing.UNSEALED;
    server.sequencers.release(Optional.empty());
    server.unit.turnEnded();
    assertThat(replies).hasSize(1).first().isInstanceOf(LogUnitReply.Writes.class);
    accepted("b", write(entry(5, "shared")));
  }

  @Test
  void onlyServersGetTheKeyAndNoTextShowsIt() {
    server.allow("a administer", "a operate");
    NodeRequest ask = new NodeRequest.AskTokenKey();
    for (Identity other : List.of(A, identity("b"), ADMIN, Identity.ANONYMOUS)) {
      assertThat(server.as(other, ask))
          .isInstanceOfSatisfying(
              Failure.Forbidden.class,
              forbidden -> assertThat(forbidden.reason()).contains("only servers"));
    }
    Reply told = server.as(SERVER, ask);
    TokenKey key = ((NodeReply.SealingKey) told).key().orElseThrow();
    assertThat(told.toString()).isEqualTo("SealingKey[key=Optional[" + key + "]]");
    assertThat(key.toString()).isEqualTo("token key " + Long.toHexString(key.id()));
    assertThat(seal("b", 1).toString()).isEqualTo("seal of tokens 0 to 0");
  }
}
