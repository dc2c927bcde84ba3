"""Text that no licensed collection holds, written from templates: each function takes its source of chance and returns one document."""
