package corfu.store.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsExchange;
import corfu.protocol.Identity;
import corfu.protocol.Permission;
import corfu.store.http.access.AccessVerdict;
import corfu.store.http.access.Caller;
import corfu.store.http.access.StoreAccess;
import java.util.List;
import java.util.Optional;

/** Refuses requests whose senders lack an identity or a permission. Thread-safe. */
final class StoreGate {

  private final Optional<StoreAccess> access;

  /**
   * @param access decides on requests; empty if everyone may do everything
   */
  StoreGate(Optional<StoreAccess> access) {
    this.access = access;
  }

  /** The sender of one request. */
  interface Sender {

    /**
     * Checks that the sender has a permission.
     *
     * @throws HttpErrorException if it has not, or if that is not known
     */
    void require(Permission permission);

    /** Returns whether permissions are checked. */
    boolean isGated();
  }

  /** A sender of an open server. */
  private static final Sender ANYONE =
      new Sender() {
        @Override
        public void require(Permission permission) {
          // everyone who reaches the port may do everything
        }

        @Override
        public boolean isGated() {
          return false;
        }
      };

  /** Returns the sender of a request. Looks at its certificate and its token when it has to. */
  Sender sender(HttpExchange exchange) {
    return access.isPresent() && exchange instanceof HttpsExchange encrypted
        ? new Gated(access.get(), encrypted)
        : ANYONE;
  }

  private record Gated(StoreAccess access, HttpsExchange exchange) implements Sender {

    @Override
    public void require(Permission permission) {
      Identity identity = identity();
      switch (access.decide(identity, permission)) {
        case AccessVerdict.Allowed allowed -> {}
        case AccessVerdict.Denied denied when identity.equals(Identity.ANONYMOUS) ->
            throw HttpErrorException.noIdentity(
                "this store serves only clients with a certificate or a token: send the header"
                    + " Authorization: Bearer TOKEN");
        case AccessVerdict.Denied(String reason) ->
            throw new HttpErrorException(403, "denied", reason);
        case AccessVerdict.Undecided(String reason) ->
            throw new HttpErrorException(503, "unavailable", reason);
      }
    }

    private Identity identity() {
      var authorization = exchange.getRequestHeaders().getOrDefault("Authorization", List.of());
      return switch (access.caller(exchange.getSSLSession(), authorization)) {
        case Caller.Known(Identity identity) -> identity;
        case Caller.Unproven(String reason) -> throw HttpErrorException.wrongIdentity(reason);
      };
    }

    @Override
    public boolean isGated() {
      return true;
    }
  }
}
