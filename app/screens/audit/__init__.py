"""What the screens of audit and zoo share: the audit that was requested, and its picture."""
