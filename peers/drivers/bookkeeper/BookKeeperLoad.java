import corfu.peers.load.LoadDriver;
import corfu.peers.load.PeerAppender;
import java.util.concurrent.CompletableFuture;
import org.apache.bookkeeper.client.api.BookKeeper;
import org.apache.bookkeeper.client.api.DigestType;
import org.apache.bookkeeper.client.api.WriteHandle;
import org.apache.bookkeeper.conf.ClientConfiguration;

/** Adds entries to a ledger, and creates a new ledger after each turn. */
final class BookKeeperLoad {

  public static void main(String[] arguments) throws Exception {
    LoadDriver.serve(
        () -> {
          BookKeeper keeper = connect(arguments[0]);
          int copies = Integer.parseInt(arguments[1]);
          return (payload, isLone) -> new Ledgers(keeper, copies, payload);
        });
  }

  private static BookKeeper connect(String metadata) throws Exception {
    var settings = new ClientConfiguration();
    settings.setMetadataServiceUri(metadata);
    settings.setUseV2WireProtocol(true);
    settings.setThrottleValue(0);
    return BookKeeper.newBuilder(settings).build();
  }

  private static final class Ledgers implements PeerAppender {

    private final BookKeeper keeper;
    private final int copies;
    private final byte[] payload;
    private WriteHandle ledger;

    Ledgers(BookKeeper keeper, int copies, byte[] payload) throws Exception {
      this.keeper = keeper;
      this.copies = copies;
      this.payload = payload;
      this.ledger = create();
    }

    private WriteHandle create() throws Exception {
      return keeper
          .newCreateLedgerOp()
          .withEnsembleSize(copies)
          .withWriteQuorumSize(copies)
          .withAckQuorumSize(copies)
          .withDigestType(DigestType.CRC32C)
          .withPassword(new byte[0])
          .execute()
          .get();
    }

    @Override
    public CompletableFuture<?> start() {
      return ledger.appendAsync(payload);
    }

    @Override
    public void await() throws Exception {
      ledger.append(payload);
    }

    @Override
    public void rest() throws Exception {
      ledger.close();
      keeper.newDeleteLedgerOp().withLedgerId(ledger.getId()).execute().get();
      ledger = create();
    }
  }
}
